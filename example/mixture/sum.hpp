#pragma once

namespace mixture {

/// A sum that carries the rounding errors of its additions along (Knuth's exact two-sum, Neumaier's use of it):
/// over a million rows as accurate as over ten. Must not be compiled with -ffast-math.
class Sum {
 public:
  void operator+=(double term) {
    const double total = total_ + term;
    const double taken = total - total_;
    lost_ += (total_ - (total - taken)) + (term - taken);
    total_ = total;
  }
  double value() const { return total_ + lost_; }

 private:
  double total_ = 0;
  double lost_ = 0;
};

}  // namespace mixture
