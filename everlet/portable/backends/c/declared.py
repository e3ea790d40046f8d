"""What hiprtc declares by itself, as far as texts of kernels use it, for a clang without HIP's headers.

Mathematics comes with clang; the rest is here, with the meaning that AMD's headers give it: votes of all threads of a wave,
shuffles among `width` of them, atomics of a device in no order.
"""

HIP = """#include <__clang_hip_runtime_wrapper.h>
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define DECLARED static inline __attribute__((device))
struct Place { unsigned x; };
#define threadIdx (Place{__builtin_amdgcn_workitem_id_x()})
#define blockIdx (Place{__builtin_amdgcn_workgroup_id_x()})
#define blockDim (Place{__builtin_amdgcn_workgroup_size_x()})
typedef double double2 __attribute__((ext_vector_type(2)));
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
DECLARED void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
DECLARED void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
DECLARED int __popc(unsigned v) { return __builtin_popcount(v); }
DECLARED unsigned __lane_id() { return __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0)); }
DECLARED unsigned long long __ballot(int v) { return __builtin_amdgcn_uicmp(v, 0, 33); }
DECLARED int __shfl_down(int v, unsigned by, int width) {
  int self = __lane_id();
  return __builtin_amdgcn_ds_bpermute(((int)((self & (width - 1)) + by) >= width ? self : self + by) << 2, v);
}
DECLARED int __shfl_xor(int v, int by, int width) {
  int self = __lane_id(), other = self ^ by;
  return __builtin_amdgcn_ds_bpermute((other >= ((self + width) & ~(width - 1)) ? self : other) << 2, v);
}
DECLARED int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
DECLARED int __double2hiint(double v) { return __builtin_bit_cast(int2, v).y; }
DECLARED int __double2loint(double v) { return __builtin_bit_cast(int2, v).x; }
DECLARED double __hiloint2double(int high, int low) { return __builtin_bit_cast(double, int2{low, high}); }
#define ATOMIC(name, t, how) DECLARED t name(t *p, t v) { return how(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
ATOMIC(atomicAdd, int, __hip_atomic_fetch_add)
ATOMIC(atomicAdd, unsigned long long, __hip_atomic_fetch_add)
ATOMIC(atomicAdd, float, __hip_atomic_fetch_add)
ATOMIC(atomicAdd, double, __hip_atomic_fetch_add)
ATOMIC(atomicExch, int, __hip_atomic_exchange)
ATOMIC(atomicExch, unsigned long long, __hip_atomic_exchange)
"""
