//! The file of weights: safetensors. A header of JSON tells each tensor's name, type, shape and place; the numbers follow.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use gristmill_core::{Error, Result};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::transformer::{Linear, Norm};

/// What the format allows a header to be long.
const MAX_HEADER: u64 = 100_000_000;

/// Bytes of each tensor that tell one training from another.
const SAMPLE: u64 = 256;

/// An open file of weights.
pub(super) struct Weights {
    path: PathBuf,
    file: File,
    header: Vec<u8>,
    places: BTreeMap<String, Place>,
    /// What stands before the names of the tensors; it differs with the task a model was saved for.
    prefix: String,
    size: u64,
    device: Device,
}

/// Where a tensor lies, and what it is.
#[derive(Deserialize)]
struct Place {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

/// The tensor that every model of these families has.
pub(super) const WORDS: &str = "embeddings.word_embeddings.weight";

impl Weights {
    /// Reads the header of the file at `path`.
    pub(super) fn open(path: &Path, device: Device) -> Result<Self> {
        let trouble = |error: std::io::Error| Error::config(format!("cannot read `{}`", path.display())).because(error);
        let mut file = File::open(path).map_err(trouble)?;
        let size = file.metadata().map_err(trouble)?.len();
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(trouble)?;
        let length = u64::from_le_bytes(length);
        if length > MAX_HEADER || length > size.saturating_sub(8) {
            return Err(broken(path, "its header is longer than the file"));
        }
        let mut header = Vec::new();
        (&file).take(length).read_to_end(&mut header).map_err(trouble)?;
        let places = places(&header, size - 8 - length).map_err(|why| broken(path, &why))?;
        let prefix = places.keys().find_map(|name| name.strip_suffix(WORDS)).map(str::to_owned);
        let prefix = prefix.ok_or_else(|| broken(path, &format!("it has no tensor `{WORDS}`")))?;
        Ok(Self { path: path.to_owned(), file, header, places, prefix, size, device })
    }

    /// The tensor of this name as numbers of 32 bits; its shape must be the one that the model's description asks for.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let place = self.place(name).ok_or_else(|| self.broken(&format!("it has no tensor `{name}`")))?;
        if place.shape != shape {
            let why =
                format!("tensor `{name}` has another shape than `config.json` asks for, {shape:?}: {:?}", place.shape);
            return Err(self.broken(&why));
        }
        let dtype = dtype(&place.dtype).ok_or_else(|| self.broken(&format!("tensor `{name}` has an unknown type")))?;
        let bytes = self.bytes(place, u64::MAX)?;
        Tensor::from_raw_buffer(&bytes, dtype, shape, &self.device)
            .and_then(|tensor| tensor.to_dtype(DType::F32))
            .map_err(|error| self.broken(&format!("tensor `{name}` cannot be used")).because(error))
    }

    /// The matrix called `name`, from vectors of one width to those of another.
    pub(super) fn linear(&self, name: &str, from: usize, to: usize, bias: bool) -> Result<Linear> {
        let weight = self.tensor(&format!("{name}.weight"), &[to, from])?;
        let bias = if bias { Some(self.tensor(&format!("{name}.bias"), &[to])?) } else { None };
        Ok(Linear { weight, bias })
    }

    /// The layer normalisation called `name`. Old files have other names for its two vectors.
    pub(super) fn norm(&self, name: &str, width: usize, epsilon: f64) -> Result<Norm> {
        let is_old = self.place(&format!("{name}.gamma")).is_some();
        let (weight, bias) = if is_old { ("gamma", "beta") } else { ("weight", "bias") };
        let tensor = |part: &str| self.tensor(&format!("{name}.{part}"), &[width]);
        Ok(Norm { weight: tensor(weight)?, bias: tensor(bias)?, epsilon: epsilon as f32 })
    }

    /// Adds to `hash` what tells these weights from others: names, types, shapes, and a sample of each tensor.
    pub(super) fn fingerprint(&self, hash: &mut Sha256) -> Result<()> {
        hash.update(self.size.to_le_bytes());
        hash.update(&self.header);
        for place in self.places.values() {
            hash.update(self.bytes(place, SAMPLE)?);
        }
        Ok(())
    }

    fn broken(&self, why: &str) -> Error {
        broken(&self.path, why)
    }

    /// Where the numbers are kept and reckoned with.
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    fn place(&self, name: &str) -> Option<&Place> {
        self.places.get(&format!("{}{name}", self.prefix))
    }

    fn bytes(&self, place: &Place, most: u64) -> Result<Vec<u8>> {
        let (start, end) = place.data_offsets;
        let length = end.saturating_sub(start).min(most);
        let from = 8 + self.header.len() as u64 + start;
        let mut bytes = Vec::new();
        (&self.file)
            .seek(SeekFrom::Start(from))
            .and_then(|_| (&self.file).take(length).read_to_end(&mut bytes))
            .map_err(|error| Error::config(format!("cannot read `{}`", self.path.display())).because(error))?;
        if bytes.len() as u64 != length {
            return Err(self.broken("it has become shorter"));
        }
        Ok(bytes)
    }
}

/// What the device could not do.
pub(super) fn failed(error: candle_core::Error) -> Error {
    Error::config("the model cannot be computed on this device").because(error)
}

fn broken(path: &Path, why: &str) -> Error {
    Error::config(format!("cannot use `{}`: {why}", path.display()))
}

/// The tensors of a header, each of which lies within the `size` bytes that follow it.
fn places(header: &[u8], size: u64) -> Result<BTreeMap<String, Place>, String> {
    let header: BTreeMap<String, Value> =
        serde_json::from_slice(header).map_err(|error| format!("its header is no JSON object: {error}"))?;
    let mut places = BTreeMap::new();
    for (name, value) in header {
        if name == "__metadata__" {
            continue;
        }
        let place: Place = serde_json::from_value(value).map_err(|error| format!("tensor `{name}`: {error}"))?;
        if !place.is_within(size) {
            return Err(format!("tensor `{name}` does not lie within the file"));
        }
        places.insert(name, place);
    }
    Ok(places)
}

impl Place {
    /// Whether the place is in the file and as long as its shape asks for. A type we do not know is not measured.
    fn is_within(&self, size: u64) -> bool {
        let (start, end) = self.data_offsets;
        let count = self.shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n as u64));
        let length = dtype(&self.dtype).map(|dtype| count.and_then(|n| n.checked_mul(dtype.size_in_bytes() as u64)));
        start <= end && end <= size && length.is_none_or(|length| length == Some(end - start))
    }
}

/// The types that weights come in.
fn dtype(name: &str) -> Option<DType> {
    Some(match name {
        "F64" => DType::F64,
        "F32" => DType::F32,
        "F16" => DType::F16,
        "BF16" => DType::BF16,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one tensor of two numbers.
    fn file(header: &str, numbers: &[f32]) -> tempfile::NamedTempFile {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    fn header(dtype: &str, shape: &str, end: u64) -> String {
        let place = format!("{{\"dtype\":\"{dtype}\",\"shape\":{shape},\"data_offsets\":[0,{end}]}}");
        format!("{{\"__metadata__\":{{\"format\":\"pt\"}},\"bert.{WORDS}\":{place}}}")
    }

    fn error(file: &tempfile::NamedTempFile) -> String {
        let error = Weights::open(file.path(), Device::Cpu).err().unwrap();
        error.chain().replace(&file.path().display().to_string(), "FILE")
    }

    #[test]
    fn tensors_are_found_behind_any_prefix() {
        let file = file(&header("F32", "[1,2]", 8), &[0.5, -3.0]);
        let weights = Weights::open(file.path(), Device::Cpu).unwrap();
        assert_eq!(weights.tensor(WORDS, &[1, 2]).unwrap().to_vec2::<f32>().unwrap(), [[0.5, -3.0]]);
        let chain = |result: Result<Tensor>| result.err().unwrap().chain();
        let shape = chain(weights.tensor(WORDS, &[2, 1]));
        assert!(shape.contains("another shape than `config.json` asks for, [2, 1]: [1, 2]"), "{shape}");
        assert!(chain(weights.tensor("pooler", &[1])).ends_with("it has no tensor `pooler`"));
    }

    #[test]
    fn half_numbers_are_widened() {
        // 1.5 and -2 as IEEE 754 binary16 and as bfloat16, two to a word of 32 bits.
        for (dtype, bits) in [("F16", 0xc000_3e00), ("BF16", 0xc000_3fc0)] {
            let file = file(&header(dtype, "[2]", 4), &[f32::from_bits(bits)]);
            let weights = Weights::open(file.path(), Device::Cpu).unwrap();
            assert_eq!(weights.tensor(WORDS, &[2]).unwrap().to_vec1::<f32>().unwrap(), [1.5, -2.0], "{dtype}");
        }
    }

    #[test]
    fn a_broken_file_is_named_with_what_is_wrong() {
        let numbers = &[0.0, 0.0];
        let lies = "cannot use `FILE`: tensor `bert.embeddings.word_embeddings.weight` does not lie within the file";
        for shape in ["[3]", "[1]", "[18446744073709551615,2]"] {
            assert_eq!(error(&file(&header("F32", shape, 8), numbers)), lies, "{shape}");
        }
        assert_eq!(error(&file(&header("F32", "[4]", 16), numbers)), lies);
        assert_eq!(error(&file("{}", &[])), format!("cannot use `FILE`: it has no tensor `{WORDS}`"));
        assert!(error(&file("[", &[])).starts_with("cannot use `FILE`: its header is no JSON object: "));
        assert!(error(&file("", &[])).starts_with("cannot use `FILE`: its header is no JSON object: "));
        let long = file("{}", &[]);
        std::fs::write(long.path(), [0xff; 12]).unwrap();
        assert_eq!(error(&long), "cannot use `FILE`: its header is longer than the file");
        std::fs::write(long.path(), [1, 2]).unwrap();
        assert!(error(&long).starts_with("cannot read `FILE`: "));
    }

    #[test]
    fn other_weights_have_another_fingerprint() {
        let print = |numbers: &[f32]| {
            let file = file(&header("F32", "[2]", 8), numbers);
            let mut hash = Sha256::new();
            Weights::open(file.path(), Device::Cpu).unwrap().fingerprint(&mut hash).unwrap();
            hash.finalize()
        };
        assert_eq!(print(&[1.0, 2.0]), print(&[1.0, 2.0]));
        assert_ne!(print(&[1.0, 2.0]), print(&[1.0, 2.5]));
    }
}
