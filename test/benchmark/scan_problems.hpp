#ifndef TAPELESS_TEST_BENCHMARK_SCAN_PROBLEMS_HPP
#define TAPELESS_TEST_BENCHMARK_SCAN_PROBLEMS_HPP

// Each checks its results against those by hand, prints times, and gives a number that depends on what it computed.
double time_ode();
double time_lstm();
double time_heston();

#endif
