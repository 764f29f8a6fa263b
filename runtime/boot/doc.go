// Package boot finds out how this process was started and joins it with the other ranks of its job: who am I,
// how many are we, who shares my node, and where is the memory that the node shares.
//
// It knows launchers: gompi's own, those that speak PMI 1.1 (MPICH's hydra, srun --mpi=pmi2), and those that
// merely name the ranks in the environment. It must not know communicators or messages.
package boot
