#pragma once

#include <cstddef>

/// The numbers that were measured and chosen: results do not depend on them but for the order of sums.
namespace tapeless::tuning {

/// How long an operation's result is waited for, in the time of a product.
inline constexpr int latency_of_division = 3;
inline constexpr int latency_of_function = 10;
/// A term that comes so much later than the sum it belongs to is added last.
inline constexpr int latency_of_last_term = 2;
/// Rows of Jacobians are paired in programs of at most so many nodes: compilers limit constant evaluation.
inline constexpr std::size_t paired_nodes = 4096;
/// A value that several kernels need is kept, unless it takes at most so many cheap steps.
inline constexpr int steps_again = 4;
/// The code of so many nests of loops is part of the caller's, with what they run on in registers. More are functions
/// of their own: together they would be one that compilers need minutes for.
inline constexpr int nests_inline = 3;
/// And no more strides than compilers can keep there: of the 475 of a recurrent network, g++ spent half its time on
/// copies.
inline constexpr std::size_t strides_inline = 160;

/// What the tensors of a block may take of the first cache, in bytes.
inline constexpr std::ptrdiff_t block = 24 * 1024;
/// The same where a library multiplies matrices: it has its own blocks for the first cache.
inline constexpr std::ptrdiff_t product_block = 1024 * 1024;
/// Below this many multiplications the loops are as fast as a library.
inline constexpr std::ptrdiff_t product = 16 * 16 * 16;
/// Bytes of a line of the cache, where memory of the library's begins.
inline constexpr std::size_t line = 64;

/// What threads get at a time: at least so many iterations, in at most so many parts. Neither depends on the number of
/// threads, so neither do the sums.
inline constexpr std::ptrdiff_t part_iterations = 1 << 14;
inline constexpr std::ptrdiff_t most_parts = 64;

/// Sums in several parts hide the time that one addition waits for the one before; where a body has more steps, the
/// processor finds other work, and more sums than registers would lie in memory.
inline constexpr std::size_t sum_parts = 4;
inline constexpr std::size_t sum_parts_steps = 12;
inline constexpr std::size_t sum_parts_sums = 16;
/// Bodies of at least so many elementary functions run two iterations step by step in turn: the processor could not
/// look far enough ahead to begin the next.
inline constexpr int interleaved_functions = 3;

/// What a loop of a constant number of steps keeps is part of the call's frame up to so many bytes, so that it needs no
/// heap.
inline constexpr std::size_t loop_in_frame = 16384;

/// A loop whose steps need nothing of each other makes several at a time if its body has at most so many nodes, for
/// compilers see that body twice.
inline constexpr std::size_t nodes_in_lanes = 512;

/// Shorter rows, in bytes, are reduced side by side. Longer ones lie pages apart, where they take each other's place in
/// the first cache.
inline constexpr std::ptrdiff_t rows_side_by_side = 4096;

/// Rows of fewer elements are all overhead where elements are moved.
inline constexpr std::ptrdiff_t short_row = 8;

}  // namespace tapeless::tuning
