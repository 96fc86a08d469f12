//! What is done number by number, in place. On a processor candle's own operations wait for threads that spin, which
//! costs dearly where several batches run side by side, and reckon the error function one number at a time.

use candle_core::{CpuStorage, InplaceOp1, InplaceOp2, Layout, Result, Tensor, bail};
use serde::Deserialize;

/// The functions between the two matrices of a layer's inner part, under their names in `config.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Activation {
    #[serde(rename = "gelu")]
    Gelu,
    #[serde(rename = "gelu_new", alias = "gelu_fast", alias = "gelu_pytorch_tanh")]
    GeluTanh,
    #[serde(rename = "relu")]
    Relu,
}

/// The sum of `hidden` and `other`, which has its shape or is one row of it.
pub(super) fn add(hidden: Tensor, other: &Tensor) -> Result<Tensor> {
    if !hidden.device().is_cpu() {
        return hidden.broadcast_add(other);
    }
    hidden.inplace_op2(other, &Step::Add)?;
    Ok(hidden)
}

/// The activation of each number.
pub(super) fn activate(hidden: Tensor, activation: Activation) -> Result<Tensor> {
    if hidden.device().is_cpu() {
        hidden.inplace_op1(&activation)?;
        return Ok(hidden);
    }
    match activation {
        Activation::Gelu => hidden.gelu_erf(),
        Activation::GeluTanh => hidden.gelu(),
        Activation::Relu => hidden.relu(),
    }
}

/// The product of `hidden` and the SiLU of `gate`.
pub(super) fn gated(hidden: Tensor, gate: &Tensor) -> Result<Tensor> {
    if !hidden.device().is_cpu() {
        return hidden * gate.silu()?;
    }
    hidden.inplace_op2(gate, &Step::Gate)?;
    Ok(hidden)
}

enum Step {
    Add,
    Gate,
}

impl InplaceOp2 for Step {
    fn name(&self) -> &'static str {
        "elementwise"
    }

    fn cpu_fwd(&self, into: &mut CpuStorage, at: &Layout, from: &CpuStorage, from_at: &Layout) -> Result<()> {
        let (CpuStorage::F32(from), Some((start, end))) = (from, from_at.contiguous_offsets()) else {
            bail!("not numbers of 32 bits in a row")
        };
        let from = from.get(start..end).unwrap_or_default();
        // `from` goes along with every row of its own length.
        for row in numbers(into, at)?.chunks_exact_mut(from.len().max(1)) {
            let pairs = row.iter_mut().zip(from);
            match self {
                Self::Add => pairs.for_each(|(x, y)| *x += y),
                Self::Gate => pairs.for_each(|(x, y)| *x *= y / (1.0 + (-y).exp())),
            }
        }
        Ok(())
    }
}

impl InplaceOp1 for Activation {
    fn name(&self) -> &'static str {
        "activation"
    }

    fn cpu_fwd(&self, into: &mut CpuStorage, at: &Layout) -> Result<()> {
        let numbers = numbers(into, at)?.iter_mut();
        match self {
            Self::Gelu => numbers.for_each(|x| *x = gelu(*x)),
            Self::GeluTanh => numbers.for_each(|x| *x = gelu_tanh(*x)),
            Self::Relu => numbers.for_each(|x| *x = x.max(0.0)),
        }
        Ok(())
    }
}

fn numbers<'s>(storage: &'s mut CpuStorage, at: &Layout) -> Result<&'s mut [f32]> {
    let (CpuStorage::F32(numbers), Some((start, end))) = (storage, at.contiguous_offsets()) else {
        bail!("not numbers of 32 bits in a row")
    };
    Ok(numbers.get_mut(start..end).unwrap_or_default())
}

/// x · Φ(x), Φ the normal distribution (Hendrycks and Gimpel, arXiv 1606.08415).
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The same with the hyperbolic tangent in place of the error function, as in the paper.
fn gelu_tanh(x: f32) -> f32 {
    let scale = std::f32::consts::FRAC_2_SQRT_PI * std::f32::consts::FRAC_1_SQRT_2;
    0.5 * x * (1.0 + (scale * (x + 0.044_715 * x * x * x)).tanh())
}

/// The error function to 4e-7: z · P(z²) / Q(z²) up to 4, from where on it is one. Without a branch, so that the compiler
/// makes it several numbers at a time. The coefficients are a minimax fit of our own, by reweighted least squares.
fn erf(z: f32) -> f32 {
    let z = z.clamp(-4.0, 4.0);
    let t = z * z;
    let p = [1.974_87e-6, 2.880_390_7e-4, 4.003_512_7e-3, 5.346_706e-2, 0.196_245_78, std::f32::consts::FRAC_2_SQRT_PI];
    let q = [3.748_105_5e-5, 1.216_329e-3, 1.544_415e-2, 0.116_475_105, 0.507_249_5, 1.0];
    let horner = |coefficients: [f32; 6]| coefficients.into_iter().fold(0.0, |sum, c| sum * t + c);
    z * horner(p) / horner(q)
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn the_error_function_is_as_in_tables() {
        // Abramowitz and Stegun, table 7.1.
        let table = [
            (0.0, 0.0),
            (0.02, 0.022_564_574_7),
            (0.5, 0.520_499_877_8),
            (1.0, 0.842_700_792_9),
            (1.5, 0.966_105_146_5),
            (2.0, 0.995_322_265_0),
        ];
        for (z, expected) in table {
            for (z, expected) in [(z, expected), (-z, -expected)] {
                assert!((f64::from(erf(z)) - expected).abs() < 4e-7, "{z}: {}", erf(z));
            }
        }
        for z in [4.0, 5.0, 1e30, f32::INFINITY] {
            assert!((erf(z) - 1.0).abs() < 4e-7 && (erf(-z) + 1.0).abs() < 4e-7, "{z}");
        }
        assert!(erf(f32::NAN).is_nan());
    }

    #[test]
    fn steps_equal_those_of_candle() {
        let numbers = |shape: (usize, usize), scale: f32| {
            let count = shape.0 * shape.1;
            let numbers = (0..count).map(|n| ((n * 7919 % 1009) as f32 / 1009.0 - 0.5) * scale).collect();
            Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
        };
        let near = |ours: Result<Tensor>, theirs: Result<Tensor>| {
            let distance = (ours.unwrap() - theirs.unwrap()).unwrap().abs().unwrap().max_all().unwrap();
            assert!(distance.to_scalar::<f32>().unwrap() < 2e-6, "{distance}");
        };
        // A copy, because ours is made in place.
        let hidden = || numbers((37, 50), 12.0);
        let (row, whole) = (numbers((1, 50), 3.0), numbers((37, 50), 9.0));
        near(add(hidden(), &row), hidden().broadcast_add(&row));
        near(add(hidden(), &whole), hidden() + &whole);
        near(activate(hidden(), Activation::Gelu), hidden().gelu_erf());
        near(activate(hidden(), Activation::GeluTanh), hidden().gelu());
        near(activate(hidden(), Activation::Relu), hidden().relu());
        near(gated(hidden(), &whole), hidden() * whole.silu().unwrap());
    }
}
