// `import tapeless;`: <tapeless/tapeless.hpp> as a module. Macros, such as Hana's for structs, still come from headers.
// Written by test/package/module/exports.py.
module;
#include <tapeless/tapeless.hpp>
export module tapeless;
export namespace tapeless {
using tapeless::Apply, tapeless::Constant, tapeless::Expression, tapeless::Formula_verb, tapeless::Function,
    tapeless::Function_with_data, tapeless::Number, tapeless::Numeric, tapeless::One, tapeless::Operand, tapeless::Real,
    tapeless::StopGradient, tapeless::Symbolic, tapeless::Variable, tapeless::Zero, tapeless::abs, tapeless::acos,
    tapeless::acosh, tapeless::adaptive, tapeless::adaptive_steps, tapeless::amax, tapeless::amin,
    tapeless::angle_axis_rotate_point, tapeless::angle_axis_to_quaternion, tapeless::angle_axis_to_rotation_matrix,
    tapeless::apply, tapeless::arg, tapeless::argmax, tapeless::argument_tangents, tapeless::as_expression,
    tapeless::as_expression_t, tapeless::asin, tapeless::asinh, tapeless::atan, tapeless::atan2, tapeless::atanh,
    tapeless::bernoulli_logit_lpmf, tapeless::bernoulli_lpmf, tapeless::beta_lpdf, tapeless::bind_back,
    tapeless::binding, tapeless::binding_list, tapeless::binomial_logit_lpmf, tapeless::binomial_lpmf, tapeless::blocks,
    tapeless::bound_function, tapeless::call, tapeless::called_with_values, tapeless::cauchy_lpdf, tapeless::cbrt,
    tapeless::ceil, tapeless::check_gradient, tapeless::checkpoints, tapeless::chi_square_lpdf, tapeless::cholesky,
    tapeless::clamp, tapeless::compare_engines, tapeless::complex, tapeless::cond, tapeless::conj, tapeless::constant,
    tapeless::contains, tapeless::copysign, tapeless::cos, tapeless::cosh, tapeless::cost, tapeless::cotangent,
    tapeless::cotangents, tapeless::cross, tapeless::cumsum, tapeless::custom_gradient, tapeless::depends_on,
    tapeless::derivative, tapeless::derivative_t, tapeless::det, tapeless::diagonal, tapeless::dice, tapeless::digamma,
    tapeless::dot, tapeless::double_exponential_lpdf, tapeless::eigen_so3, tapeless::einsum, tapeless::engine_check,
    tapeless::engine_report, tapeless::erf, tapeless::erfc, tapeless::evaluate, tapeless::exp, tapeless::exp2,
    tapeless::expand_dims, tapeless::expm1, tapeless::exponential_lpdf, tapeless::expression, tapeless::fabs,
    tapeless::fixed_point, tapeless::fixed_string, tapeless::floor, tapeless::fma, tapeless::fmax, tapeless::fmin,
    tapeless::fmod, tapeless::formula_check, tapeless::formula_verb, tapeless::freeze, tapeless::from_ceres,
    tapeless::function_check, tapeless::function_verb, tapeless::gamma_lpdf, tapeless::general, tapeless::grad_clip,
    tapeless::grad_reverse, tapeless::grad_scale, tapeless::gradient, tapeless::gradient_check, tapeless::gradient_map,
    tapeless::gradient_map_tag, tapeless::gradient_report, tapeless::hessian, tapeless::hessian_map, tapeless::hvp,
    tapeless::hypot, tapeless::identity, tapeless::imag, tapeless::implicit_root, tapeless::infix_notation,
    tapeless::into, tapeless::into_result, tapeless::inv_gamma_lpdf, tapeless::inverse, tapeless::is_binding,
    tapeless::is_binding_list, tapeless::is_constant, tapeless::is_one, tapeless::is_outputs, tapeless::is_stop,
    tapeless::is_stopped, tapeless::is_tensor, tapeless::is_tensor_view, tapeless::is_traced, tapeless::is_variable,
    tapeless::is_zero, tapeless::jacobian, tapeless::jacobian_map, tapeless::jvp, tapeless::keep_dims,
    tapeless::keep_dims_t, tapeless::latex, tapeless::laws, tapeless::lgamma, tapeless::local, tapeless::log,
    tapeless::log10, tapeless::log1p, tapeless::log2, tapeless::log_det, tapeless::log_normal_cdf,
    tapeless::log_softmax, tapeless::logistic_lpdf, tapeless::lognormal_lpdf, tapeless::logsumexp,
    tapeless::longest_chain, tapeless::lower, tapeless::mapped_struct, tapeless::mapped_struct_with_names,
    tapeless::mathematical_constant, tapeless::matmul, tapeless::max, tapeless::mean, tapeless::memory,
    tapeless::memory_use, tapeless::min, tapeless::named, tapeless::neg_binomial_2_lpmf, tapeless::norm,
    tapeless::normal_cdf, tapeless::normal_lpdf, tapeless::odeint, tapeless::odeint_at, tapeless::of_batch,
    tapeless::operation_counts, tapeless::operator!, tapeless::operator!=, tapeless::operator%, tapeless::operator&,
    tapeless::operator&&, tapeless::operator*, tapeless::operator+, tapeless::operator-, tapeless::operator/,
    tapeless::operator<, tapeless::operator<<, tapeless::operator<=, tapeless::operator==, tapeless::operator>,
    tapeless::operator>=, tapeless::operator^, tapeless::operator|, tapeless::operator||, tapeless::outer,
    tapeless::output_list, tapeless::outputs, tapeless::partial_by, tapeless::partial_list, tapeless::partials,
    tapeless::poisson_log_lpmf, tapeless::poisson_lpmf, tapeless::polar, tapeless::positive_definite, tapeless::pow,
    tapeless::prevent_gradient, tapeless::prod, tapeless::quaternion_plus, tapeless::quaternion_product,
    tapeless::quaternion_rotate_point, tapeless::quaternion_to_angle_axis, tapeless::quaternion_to_rotation_matrix,
    tapeless::real, tapeless::release_loop_memory, tapeless::relu, tapeless::round, tapeless::rule_for_each,
    tapeless::rules, tapeless::scan, tapeless::se3, tapeless::sigmoid, tapeless::sign, tapeless::sin, tapeless::sinh,
    tapeless::so3, tapeless::softmax, tapeless::softplus, tapeless::solve, tapeless::solve_triangular,
    tapeless::sparse_hessian, tapeless::sparse_jacobian, tapeless::sparse_map, tapeless::sparse_matrix,
    tapeless::sparsity, tapeless::sparsity_pattern, tapeless::sqrt, tapeless::square, tapeless::std_normal_lpdf,
    tapeless::step_count, tapeless::steps, tapeless::stop_gradient, tapeless::stop_gradients, tapeless::stop_list,
    tapeless::store_all, tapeless::straight_through, tapeless::student_t_lpdf, tapeless::sum, tapeless::tan,
    tapeless::tangent, tapeless::tangents, tapeless::tanh, tapeless::tensor_reference, tapeless::tensor_view_value,
    tapeless::text, tapeless::tgamma, tapeless::trace, tapeless::traced, tapeless::traced_records,
    tapeless::transform_leaves, tapeless::transpose, tapeless::trigamma, tapeless::trunc, tapeless::uniform_lpdf,
    tapeless::unit_quaternion_rotate_point, tapeless::upper, tapeless::value, tapeless::value_and_gradient,
    tapeless::value_and_gradient_result, tapeless::value_and_hessian, tapeless::value_and_hessian_result,
    tapeless::value_and_jacobian, tapeless::value_and_jacobian_result, tapeless::value_and_jvp,
    tapeless::value_and_jvp_result, tapeless::variable, tapeless::variable_list, tapeless::variable_of,
    tapeless::variables, tapeless::vjp, tapeless::weibull_lpdf, tapeless::where, tapeless::while_loop, tapeless::wrt,
    tapeless::wrt_positions, tapeless::wrt_variables;
}
export namespace tapeless::literals {
using literals::operator""_c;
}
export namespace tapeless::math {
using math::abs, math::acos, math::acosh, math::add, math::asin, math::asinh, math::atan, math::atan2, math::atanh,
    math::cbrt, math::ceil, math::cos, math::cosh, math::divide, math::erf, math::erfc, math::erfc_gaussian, math::exp,
    math::exp2, math::expm1, math::exponential, math::floor, math::fmod, math::has_two_lanes, math::hypot,
    math::in_two_lanes, math::is_normal, math::is_two_lanes, math::lane_of, math::larger, math::lgamma, math::log,
    math::log10, math::log1p, math::log2, math::multiply, math::multiply_add, math::multiply_subtract, math::norm,
    math::number_pair, math::over_squares, math::parts_of_tanh, math::polygamma, math::pow, math::product_with_inverse,
    math::round, math::scaled_exponential, math::scaled_lanes, math::select, math::signed_root, math::sin, math::sincos,
    math::sinh, math::slope_of_tanh, math::smaller, math::sqrt, math::subtract, math::subtract_product, math::tan,
    math::tanh, math::tanh_parts, math::tanh_slope, math::tgamma, math::times_inverse, math::two_lanes, math::vector_of;
}
export namespace tapeless::operation {
using operation::AMax, operation::AMin, operation::Abs, operation::Acos, operation::Acosh, operation::Add,
    operation::And, operation::Any, operation::ArgMax, operation::Asin, operation::Asinh, operation::Atan,
    operation::Atan2, operation::Atanh, operation::BetaSaddle, operation::BinomialLogitSaddle,
    operation::BinomialSaddle, operation::Cbrt, operation::Ceil, operation::Copysign, operation::Cos, operation::Cosh,
    operation::CustomGradient, operation::Deviance, operation::Diagonal, operation::Divide, operation::Dot,
    operation::Einsum, operation::ElementNumber, operation::Equal, operation::Erf, operation::Erfc,
    operation::ErfcGaussian, operation::Exp, operation::Exp2, operation::ExpandDims, operation::Expm1, operation::First,
    operation::Floor, operation::Fmod, operation::GradClip, operation::GradScale, operation::Greater,
    operation::GreaterEqual, operation::HalfLogTwoPi, operation::Hypot, operation::InTwoLanes, operation::Lane,
    operation::Larger, operation::LargestNumber, operation::Length, operation::LengthOfSome, operation::Less,
    operation::LessEqual, operation::Lgamma, operation::LnTen, operation::LnTwo, operation::Log, operation::Log10,
    operation::Log1p, operation::Log1pMinus, operation::Log2, operation::LogNormalCdf, operation::LogPi,
    operation::LogSoftmax, operation::LogSumExp, operation::LogSumExpOver, operation::Max, operation::Mean,
    operation::Min, operation::MinusInfinity, operation::Move, operation::Multiply, operation::MultiplyAdd,
    operation::MultiplySubtract, operation::NegBinomialSaddle, operation::Negate, operation::NonzeroProd,
    operation::Norm, operation::NormOver, operation::NormalCdf, operation::NormalHazard, operation::Not,
    operation::NotEqual, operation::OneNumber, operation::OneOverSqrtTwo, operation::OneOverSqrtTwoPi, operation::Or,
    operation::Outer, operation::OverAxes, operation::OverSquares, operation::Pick, operation::Polygamma,
    operation::Pow, operation::PreventGradient, operation::Prod, operation::ProductOfOthers, operation::RecordedScan,
    operation::Relu, operation::Repeat, operation::RootBeyondRange, operation::RootOfSquares, operation::Round,
    operation::Scan, operation::ScanOutput, operation::Second, operation::ShareOfEqual, operation::ShareOfTie,
    operation::ShortNorm, operation::SideBySide, operation::Sigmoid, operation::Sign, operation::Sin,
    operation::SineCosine, operation::Sinh, operation::SmallAngle, operation::Smaller, operation::SmallestNormal,
    operation::Softmax, operation::SoftmaxExp, operation::Softplus, operation::Sqrt, operation::Square,
    operation::StudentTail, operation::Stumpff, operation::Subtract, operation::SubtractProduct, operation::Sum,
    operation::Tan, operation::Tanh, operation::TanhSlope, operation::Tgamma, operation::TimesInverse,
    operation::Transpose, operation::Trunc, operation::TwoOverSqrtPi, operation::UniformQuotient, operation::Where,
    operation::ZeroProduct, operation::all, operation::by_shape, operation::by_successes, operation::by_trials,
    operation::finite_shift, operation::is_normal, operation::list, operation::opcode, operation::product_of_elements,
    operation::scan_shape;
}
export namespace tapeless::unconnected {
using unconnected::materialise, unconnected::materialise_policy, unconnected::strict, unconnected::strict_policy,
    unconnected::structural, unconnected::structural_policy;
}
export namespace tapeless {
using namespace literals;
}
