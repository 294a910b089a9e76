#pragma once

#include "../common/csv.hpp"

#include <tapeless/distributed.hpp>
#include <xtensor/xtensor.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace distributed {

using example::Error;

/// The rows that this process has of a file of numbers, and how many there are in all processes.
struct Rows {
  xt::xtensor<double, 2> numbers;
  std::vector<std::string> names;
  std::ptrdiff_t whole = 0;
};

/// A file of lines, of which parts are read.
class LineFile {
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::int64_t size_ = 0;

  [[noreturn]] void fail() const { throw Error(path_ + ": cannot be read: " + std::strerror(errno)); }

 public:
  explicit LineFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
    if (!file_) {
      throw Error(path + ": cannot be opened: " + std::strerror(errno));
    }
    if (std::fseek(file_.get(), 0, SEEK_END) != 0 || (size_ = std::ftell(file_.get())) < 0) {
      fail();
    }
  }
  std::int64_t size() const { return size_; }

  /// Calls visit(block, its place in the file) from one place to before another, until it returns false.
  template <class Visit>
  void for_each_block(std::int64_t begin, std::int64_t end, const Visit& visit) const {
    std::string block;
    if (std::fseek(file_.get(), static_cast<long>(begin), SEEK_SET) != 0) {
      fail();
    }
    while (begin < end) {
      block.resize(static_cast<std::size_t>(std::min<std::int64_t>(end - begin, 1 << 20)));
      if (std::fread(block.data(), 1, block.size(), file_.get()) != block.size()) {
        fail();
      }
      if (!visit(std::string_view(block), begin)) {
        return;
      }
      begin += static_cast<std::int64_t>(block.size());
    }
  }
  std::int64_t count_lines(std::int64_t begin, std::int64_t end) const {
    std::int64_t lines = 0;
    for_each_block(begin, end, [&](std::string_view block, std::int64_t at) {
      lines += std::count(block.begin(), block.end(), '\n');
      // The last line may have no end.
      lines += at + static_cast<std::int64_t>(block.size()) == size_ && block.back() != '\n';
      return true;
    });
    return lines;
  }
  /// The place after `lines` line ends from `begin` on.
  std::int64_t skip_lines(std::int64_t begin, std::int64_t lines) const {
    std::int64_t place = lines == 0 ? begin : size_;
    for_each_block(begin, lines == 0 ? begin : size_, [&](std::string_view block, std::int64_t at) {
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] == '\n' && --lines == 0) {
          place = at + static_cast<std::int64_t>(i) + 1;
          return false;
        }
      }
      return true;
    });
    return place;
  }
  std::string text(std::int64_t begin, std::int64_t end) const {
    std::string result;
    for_each_block(begin, end, [&](std::string_view block, std::int64_t) {
      result += block;
      return true;
    });
    return result;
  }
};

/// Reads this process' part of a CSV file of numbers with a header. Each process first counts the lines in its share of
/// the bytes; from all counts it knows which rows are its own, and where those begin. No process reads the whole.
template <class Communicator>
Rows read_rows(const std::string& path, Communicator& processes) {
  namespace mpi = tapeless::mpi;
  const auto size = static_cast<std::size_t>(processes.size());
  const auto rank = static_cast<std::size_t>(processes.rank());
  std::unique_ptr<const LineFile> file;
  std::vector<double> lines(size, 0.0);
  const auto share = [&](std::size_t of) {
    return file->size() * static_cast<std::int64_t>(of) / static_cast<std::int64_t>(size);
  };
  mpi::together(processes, [&] {
    file = std::make_unique<const LineFile>(path);
    lines[rank] = static_cast<double>(file->count_lines(share(rank), share(rank + 1)));
  });
  processes.all_reduce(std::span<double>(lines));

  Rows result;
  mpi::together(processes, [&] {
    std::int64_t all_lines = 0;
    for (const double of : lines) {
      all_lines += static_cast<std::int64_t>(of);
    }
    result.whole = std::max<std::ptrdiff_t>(all_lines - 1, 0);
    if (result.whole == 0) {
      throw Error(path + ": there is no row below the header");
    }
    const auto place_of_line = [&](std::int64_t line) {
      std::size_t part = 0;
      for (; part + 1 < size && line > static_cast<std::int64_t>(lines[part]); ++part) {
        line -= static_cast<std::int64_t>(lines[part]);
      }
      return file->skip_lines(share(part), line);
    };
    const auto mine = mpi::rows_of(processes, result.whole);
    const std::string header = file->text(0, place_of_line(1));
    example::CsvRecords names(header, ',');
    names.next();
    for (const auto name : names.fields()) {
      result.names.push_back(example::printable(name));
    }
    const std::size_t columns = result.names.size();
    result.numbers = xt::xtensor<double, 2>::from_shape({static_cast<std::size_t>(mine.size()), columns});
    const std::string text = file->text(place_of_line(mine.begin + 1), place_of_line(mine.end + 1));
    example::CsvRecords records(text, ',');
    std::ptrdiff_t row = 0;
    double* to = result.numbers.data();
    for (; row < mine.size() && records.next(); ++row) {
      const std::string place = path + ": row " + std::to_string(mine.begin + row + 1);
      if (records.fields().size() != columns) {
        throw Error(place + " has " + std::to_string(records.fields().size()) + " fields, the header " +
                    std::to_string(columns));
      }
      for (const auto field : records.fields()) {
        const auto value = example::number(field);
        if (!value) {
          throw Error(place + ": '" + example::printable(field) + "' is not a finite number");
        }
        *to++ = *value;
      }
    }
    if (row != mine.size()) {
      throw Error(path + ": an empty line among rows " + std::to_string(mine.begin + 1) + " to " +
                  std::to_string(mine.end));
    }
  });
  return result;
}

}  // namespace distributed
