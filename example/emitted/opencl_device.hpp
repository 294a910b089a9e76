#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

/// The first device of the first platform, with the kernels of a file. What fails throws std::runtime_error.
class opencl_device {
  cl_context context_{};
  cl_command_queue queue_{};
  cl_program program_{};

  static void check(cl_int status, const std::string& what) {
    if (status != CL_SUCCESS) throw std::runtime_error("OpenCL: " + what + ": error " + std::to_string(status));
  }
  /// A buffer on the device, for a kernel to read and write.
  template <class T>
  cl_mem buffer_of(std::vector<T>& numbers) const {
    cl_int status{};
    const cl_mem result = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, numbers.size() * sizeof(T),
                                         numbers.data(), &status);
    check(status, "a buffer");
    return result;
  }

 public:
  explicit opencl_device(const std::string& path) {
    std::ifstream file(path);
    const std::string source(std::istreambuf_iterator<char>(file), {});
    if (source.empty()) throw std::runtime_error("OpenCL: " + path + " cannot be read");
    cl_int status{};
    cl_platform_id platform{};
    cl_device_id device{};
    check(clGetPlatformIDs(1, &platform, nullptr), "there is no platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "there is no device");
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "a context");
    queue_ = clCreateCommandQueue(context_, device, 0, &status);
    check(status, "a queue");
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &status);
    check(status, "the source");
    if (clBuildProgram(program_, 1, &device, "-cl-std=CL1.2", nullptr, nullptr) != CL_SUCCESS) {
      std::size_t size = 0;
      clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
      std::string log(size, ' ');
      clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
      throw std::runtime_error("OpenCL: " + log);
    }
  }
  opencl_device(const opencl_device&) = delete;
  opencl_device& operator=(const opencl_device&) = delete;
  ~opencl_device() {
    if (program_) clReleaseProgram(program_);
    if (queue_) clReleaseCommandQueue(queue_);
    if (context_) clReleaseContext(context_);
  }

  /// Runs the kernel in so many work-items. Vectors are copied to the device and back, numbers passed as they are.
  template <class... Arguments>
  void run(const char* name, std::size_t items, Arguments&... arguments) const {
    cl_int status{};
    const cl_kernel kernel = clCreateKernel(program_, name, &status);
    check(status, name);
    std::array<cl_mem, sizeof...(Arguments)> buffers{};
    cl_uint position = 0;
    const auto set = [&]<class T>(T& argument) {
      const cl_uint at = position++;
      if constexpr (requires { argument.data(); }) {
        buffers[at] = buffer_of(argument);
        check(clSetKernelArg(kernel, at, sizeof(cl_mem), &buffers[at]), name);
      } else {
        check(clSetKernelArg(kernel, at, sizeof(T), &argument), name);
      }
    };
    (set(arguments), ...);
    check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), name);
    position = 0;
    const auto read = [&]<class T>(T& argument) {
      const cl_mem buffer = buffers[position++];
      if constexpr (requires { argument.data(); }) {
        check(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, argument.size() * sizeof(argument[0]), argument.data(), 0,
                                  nullptr, nullptr),
              name);
        clReleaseMemObject(buffer);
      }
    };
    (read(arguments), ...);
    clReleaseKernel(kernel);
  }
};
