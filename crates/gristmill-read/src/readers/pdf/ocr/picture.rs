//! Pictures as files that other programs read.

use unpdf::parser::backend::{CcittParms, CodecParms, ImageColorSpace, RawXObject};

/// Pixels of the largest picture that is read.
const MOST_PIXELS: u64 = 120_000_000;

/// A picture of a page, as a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// JPEG, JPEG 2000, TIFF or PGM.
    pub bytes: Vec<u8>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Pixels an inch, as it stands on the page.
    pub dpi: u32,
}

impl Picture {
    /// The picture as a file; nothing for formats that are not known here.
    pub(in super::super) fn new(image: &RawXObject, dpi: u32) -> Option<Self> {
        let (width, height) = (image.width?, image.height?);
        if u64::from(width) * u64::from(height) > MOST_PIXELS || width == 0 || height == 0 {
            return None;
        }
        let bytes = match (image.filter.as_deref(), &image.codec_parms) {
            (Some("DCTDecode" | "JPXDecode"), _) => image.data.clone(),
            (Some("CCITTFaxDecode"), Some(CodecParms::Ccitt(parms))) => tiff(&image.data, parms, width, height)?,
            (None, _) => pgm(image, width, height)?,
            _ => return None,
        };
        Some(Self { bytes, width, height, dpi })
    }
}

/// The samples in grey, eight bits each.
fn pgm(image: &RawXObject, width: u32, height: u32) -> Option<Vec<u8>> {
    let bits = usize::from(image.bits_per_component.unwrap_or(8));
    let grey = if image.image_mask { &ImageColorSpace::Gray } else { image.color.as_ref()? };
    let parts = grey.components();
    let (wide, high) = (width as usize, height as usize);
    let row = (wide * parts * bits).div_ceil(8);
    if !matches!(bits, 1 | 2 | 4 | 8 | 16) || row == 0 || image.data.len() < row.checked_mul(high)? {
        return None;
    }
    let most = ((1u32 << bits) - 1) as f32;
    let indexed = matches!(grey, ImageColorSpace::Indexed { .. });
    let inverted = image.decode.as_ref().is_some_and(|range| !indexed && range.first() > range.get(1));
    let mut out = format!("P5 {width} {height} 255\n").into_bytes();
    for row in image.data.chunks(row).take(high) {
        for x in 0..wide {
            let raw = |part: usize| sample(row, (x * parts + part) * bits, bits);
            let light = match grey {
                ImageColorSpace::Indexed { base, lookup, .. } => looked_up(base, lookup, raw(0) as usize),
                _ => light(grey, &(0..parts).map(|part| raw(part) as f32 / most).collect::<Vec<_>>()),
            };
            let light = if inverted { 1.0 - light } else { light };
            out.push((light * 255.0).round().clamp(0.0, 255.0) as u8);
        }
    }
    Some(out)
}

/// The sample of `bits` that begins at a bit of the row.
fn sample(row: &[u8], bit: usize, bits: usize) -> u32 {
    let byte = |at: usize| u32::from(row.get(at).copied().unwrap_or(0));
    match bits {
        16 => byte(bit / 8) << 8 | byte(bit / 8 + 1),
        8 => byte(bit / 8),
        _ => byte(bit / 8) >> (8 - bits - bit % 8) & ((1 << bits) - 1),
    }
}

fn looked_up(base: &ImageColorSpace, lookup: &[u8], index: usize) -> f32 {
    let parts = base.components();
    let entry = lookup.get(index * parts..(index + 1) * parts).unwrap_or_default();
    light(base, &entry.iter().map(|part| f32::from(*part) / 255.0).collect::<Vec<_>>())
}

/// How light a colour is, from 0 to 1.
fn light(space: &ImageColorSpace, parts: &[f32]) -> f32 {
    let weighed = |c: &[f32]| c[0] * 0.299 + c[1] * 0.587 + c[2] * 0.114;
    match (space, parts) {
        (ImageColorSpace::Rgb, [_, _, _]) => weighed(parts),
        (ImageColorSpace::Cmyk, [ink @ .., black]) if ink.len() == 3 => (1.0 - weighed(ink) - black).max(0.0),
        // One ink or several: none at all is white.
        (ImageColorSpace::Tint(_), _) => 1.0 - parts.iter().copied().fold(0.0, f32::max),
        _ => parts.first().copied().unwrap_or(1.0),
    }
}

/// Fax data in a TIFF file of one strip. TIFF 6.0, sections 2, 8 and 11.
fn tiff(data: &[u8], parms: &CcittParms, width: u32, height: u32) -> Option<Vec<u8>> {
    let (compression, options) = if parms.k < 0 { (4, 0) } else { (3, u32::from(parms.k > 0)) };
    let columns = if parms.columns > 0 { parms.columns } else { width };
    let size = u32::try_from(data.len()).ok()?;
    let entries: [(u16, u32); 9] = [
        (256, columns),
        (257, height),
        (258, 1),
        (259, compression),
        (262, 0),
        (273, 8 + 2 + 9 * 12 + 4),
        (278, height),
        (279, size),
        (if parms.k < 0 { 293 } else { 292 }, options),
    ];
    let mut out = b"II*\0\x08\0\0\0".to_vec();
    out.extend((entries.len() as u16).to_le_bytes());
    for (tag, value) in entries {
        out.extend(tag.to_le_bytes());
        // One number of 32 bits.
        out.extend([4, 0, 1, 0, 0, 0]);
        out.extend(value.to_le_bytes());
    }
    out.extend([0; 4]);
    out.extend(data);
    Some(out)
}
