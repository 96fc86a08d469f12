//! Products of matrices. On a processor candle's own product asks the system for its processors every time, by reading a
//! file that is long on a large machine; the crate beneath it is called here without that.

use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};
use gemm::Parallelism;

/// `left` · `right`: matrices, or stacks of as many matrices.
pub(super) fn product(left: &Tensor, right: &Tensor) -> Result<Tensor> {
    if left.device().is_cpu() { left.apply_op2_no_bwd(right, &Product) } else { left.matmul(right) }
}

struct Product;

/// Numbers that are a stack of matrices of rows and columns.
struct Stack<'n> {
    numbers: &'n [f32],
    sizes: [usize; 3],
    steps: [usize; 3],
}

impl CustomOp2 for Product {
    fn name(&self) -> &'static str {
        "product"
    }

    fn cpu_fwd(
        &self,
        left: &CpuStorage,
        left_at: &Layout,
        right: &CpuStorage,
        right_at: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (left, right) = (Stack::new(left, left_at)?, Stack::new(right, right_at)?);
        let ([count, rows, inner], [right_count, right_inner, columns]) = (left.sizes, right.sizes);
        if (count, inner) != (right_count, right_inner) {
            bail!("no product of {:?} and {:?}", left.sizes, right.sizes)
        }
        let mut out = vec![0.0; count * rows * columns];
        for (matrix, out) in out.chunks_exact_mut((rows * columns).max(1)).enumerate() {
            multiply(out, &left, &right, matrix);
        }
        let shape =
            if left_at.dims().len() == 2 { Shape::from((rows, columns)) } else { (count, rows, columns).into() };
        Ok((CpuStorage::F32(out), shape))
    }
}

impl<'n> Stack<'n> {
    /// The numbers of a tensor of two or three dimensions, all of which are in the storage.
    fn new(storage: &'n CpuStorage, at: &Layout) -> Result<Self> {
        let (sizes, steps) = match (at.dims(), at.stride()) {
            (&[rows, columns], &[row, column]) => ([1, rows, columns], [0, row, column]),
            (&[count, rows, columns], &[matrix, row, column]) => ([count, rows, columns], [matrix, row, column]),
            _ => bail!("no stack of matrices: {at:?}"),
        };
        let CpuStorage::F32(numbers) = storage else { bail!("not numbers of 32 bits") };
        let numbers = numbers.get(at.start_offset()..).unwrap_or_default();
        let last = sizes
            .iter()
            .zip(steps)
            .try_fold(0usize, |last, (&size, step)| last.checked_add(size.checked_sub(1)?.checked_mul(step)?));
        // A stack without numbers has no last one.
        let is_within = sizes.contains(&0) || last.is_some_and(|last| last < numbers.len());
        if is_within { Ok(Self { numbers, sizes, steps }) } else { bail!("out of bounds: {at:?}") }
    }
}

/// One matrix of each stack into `out`, row by row.
#[expect(unsafe_code, reason = "the crate for products takes addresses; it has no other interface")]
fn multiply(out: &mut [f32], left: &Stack<'_>, right: &Stack<'_>, matrix: usize) {
    let ([_, rows, inner], [_, _, columns]) = (left.sizes, right.sizes);
    let [left_matrix, left_row, left_column] = left.steps;
    let [right_matrix, right_row, right_column] = right.steps;
    let (Some(left), Some(right)) =
        (left.numbers.get(matrix * left_matrix..), right.numbers.get(matrix * right_matrix..))
    else {
        return;
    };
    if out.len() != rows * columns || inner == 0 {
        return;
    }
    // SAFETY: `out` has rows × columns numbers one behind the other, and nobody else has it. Every number of both stacks
    // was found to be in its slice when the stack was made, and `matrix` is one of the stack. Steps of numbers that lie
    // in memory fit into isize.
    unsafe {
        gemm::gemm(
            rows,
            columns,
            inner,
            out.as_mut_ptr(),
            1,
            columns as isize,
            false,
            left.as_ptr(),
            left_column as isize,
            left_row as isize,
            right.as_ptr(),
            right_column as isize,
            right_row as isize,
            0.0,
            1.0,
            false,
            false,
            false,
            Parallelism::Rayon(0),
        );
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    fn tensor(shape: &[usize]) -> Tensor {
        let count: usize = shape.iter().product();
        let numbers = (0..count).map(|n| (n * 7919 % 1009) as f32 / 1009.0 - 0.5).collect();
        Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
    }

    fn assert_equals_candle(left: &Tensor, right: &Tensor) {
        let (ours, theirs) = (product(left, right).unwrap(), left.matmul(right).unwrap());
        assert_eq!(ours.dims(), theirs.dims());
        let distance = (ours - theirs).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap();
        assert!(distance.to_scalar::<f32>().unwrap() < 1e-5, "{distance}");
    }

    #[test]
    fn products_are_those_of_the_definition() {
        let left = Tensor::new(&[[1f32, 2.0, 3.0], [4.0, 5.0, 6.0]], &Device::Cpu).unwrap();
        let right = Tensor::new(&[[1f32, 0.0], [0.0, 1.0], [2.0, 2.0]], &Device::Cpu).unwrap();
        assert_eq!(product(&left, &right).unwrap().to_vec2::<f32>().unwrap(), [[7.0, 8.0], [16.0, 17.0]]);
    }

    #[test]
    fn views_are_multiplied_as_what_they_show() {
        let (left, right) = (tensor(&[33, 70]), tensor(&[20, 70]));
        assert_equals_candle(&left, &right.t().unwrap());
        assert_equals_candle(&left.narrow(0, 5, 9).unwrap(), &right.t().unwrap());
        let (left, right) = (tensor(&[3, 40, 8]), tensor(&[3, 50, 8]).transpose(1, 2).unwrap());
        assert_equals_candle(&left, &right);
        assert_equals_candle(&left.narrow(1, 7, 20).unwrap(), &right);
        let apart = tensor(&[40, 3, 8]).transpose(0, 1).unwrap();
        assert_equals_candle(&apart, &right);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(product(&tensor(&[2, 3]), &tensor(&[2, 3])).is_err());
        assert!(product(&tensor(&[2, 2, 3]), &tensor(&[3, 3, 3])).is_err());
        assert!(product(&tensor(&[2]), &tensor(&[2])).is_err());
        assert_eq!(product(&tensor(&[0, 3]), &tensor(&[3, 2])).unwrap().dims(), [0, 2]);
        assert_eq!(product(&tensor(&[2, 0]), &tensor(&[0, 2])).unwrap().to_vec2::<f32>().unwrap(), [[0.0; 2]; 2]);
    }
}
