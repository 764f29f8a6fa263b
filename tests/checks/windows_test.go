package checks

import "testing"

func TestWindows(t *testing.T) {
	find(t, []wrong{
		{3, "windows fence-puts", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@puts-fence: MPI_Put at windows.c:@puts by rank 1 and MPI_Put at windows.c:@puts by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 4 MPI_INT at displacement 1, and 4 MPI_INT at displacement 2 (GOMPI_CHECK=windows)",
		}},
		{3, "windows fence-put-get", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@put-get-fence: MPI_Put at windows.c:@put by rank 1 and MPI_Get at windows.c:@get by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 4 MPI_INT at displacement 3, and 1 MPI_INT at displacement 6 (GOMPI_CHECK=windows)",
		}},
		{3, "windows fence-accumulates", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@accumulates-fence: MPI_Accumulate at windows.c:@sum by rank 1 and MPI_Accumulate at windows.c:@prod by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 3, and 1 MPI_INT at displacement 3 (GOMPI_CHECK=windows)",
			"rank 0 of 3: MPI_Win_fence at windows.c:@types-fence: MPI_Accumulate at windows.c:@int by rank 1 and MPI_Accumulate at windows.c:@float by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 3, and 1 MPI_FLOAT at displacement 3 (GOMPI_CHECK=windows)",
		}},
		{3, "windows locks", []string{
			"rank 0 of 3: MPI_Win_free at windows.c:@lock-free: MPI_Put at windows.c:@lock-put by rank 1 and MPI_Put at windows.c:@lock-put by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 3, and 1 MPI_INT at displacement 3 (GOMPI_CHECK=windows)",
		}},
		{3, "windows one-origin", []string{
			"rank 0 of 3: MPI_Win_free at windows.c:@one-free: MPI_Put at windows.c:@one-put by rank 1 and MPI_Get at windows.c:@one-get by rank 1 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 3, and 1 MPI_INT at displacement 3 (GOMPI_CHECK=windows)",
		}},
		{3, "windows pscw", []string{
			"rank 0 of 3: MPI_Win_free at windows.c:@pscw-free: MPI_Put at windows.c:@pscw-put by rank 1 and MPI_Put at windows.c:@pscw-put by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 5, and 1 MPI_INT at displacement 5 (GOMPI_CHECK=windows)",
		}},
		{3, "windows store-over-put", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@store-fence: this rank has itself written to memory of window \"table\" that MPI_Put at windows.c:@under-store by rank 1 (1 MPI_INT at displacement 2) writes in the same epoch (GOMPI_CHECK=windows)",
		}},
		{3, "windows store-under-get", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@get-store-fence: this rank has itself written to memory of window \"table\" that MPI_Get at windows.c:@get-store by rank 1 (1 MPI_INT at displacement 2) reads in the same epoch (GOMPI_CHECK=windows)",
		}},
		{3, "windows origin-changed", []string{
			"rank 1 of 3: MPI_Send at windows.c:@origin-send: buf (1 MPI_INT to rank 0 with tag 0 on MPI_COMM_WORLD) overlaps origin_addr of MPI_Get at windows.c:@origin-get (1 MPI_INT, rank 0 of window \"table\"), which is not complete (GOMPI_CHECK=buffers)",
			"rank 1 of 3: MPI_Win_flush_local at windows.c:@origin-flush: origin_addr of MPI_Put at windows.c:@origin-put (1 MPI_INT, rank 0 of window \"table\") was changed before the operation was complete (GOMPI_CHECK=buffers)",
			"rank 1 of 3: MPI_Win_unlock at windows.c:@origin-unlock: origin_addr of MPI_Get at windows.c:@origin-get (1 MPI_INT, rank 0 of window \"table\") was changed before the operation was complete (GOMPI_CHECK=buffers)",
		}},
		{3, "windows no-put", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@noput: MPI_MODE_NOPUT is given for window \"table\", which MPI_Put at windows.c:@noput-put by rank 1 updates in the epoch that follows (GOMPI_CHECK=windows)",
		}},
		{3, "windows assertions", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@assertions: rank 1 in window \"table\" gives none where this rank gives MPI_MODE_NOPRECEDE; all have to give these alike (GOMPI_CHECK=windows)",
			"rank 1 of 3: MPI_Win_fence at windows.c:@assertions: rank 0 in window \"table\" gives MPI_MODE_NOPRECEDE where this rank gives none; all have to give these alike (GOMPI_CHECK=windows)",
			"rank 2 of 3: MPI_Win_fence at windows.c:@assertions: rank 0 in window \"table\" gives MPI_MODE_NOPRECEDE where this rank gives none; all have to give these alike (GOMPI_CHECK=windows)",
		}},
		{3, "windows request-update", []string{
			"rank 0 of 3: MPI_Win_free at windows.c:@update-free: MPI_Rput at windows.c:@rput by rank 1 and MPI_Get at windows.c:@rput-get by rank 1 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 3, and 1 MPI_INT at displacement 3 (GOMPI_CHECK=windows)",
			"rank 0 of 3: MPI_Win_free at windows.c:@update-free: MPI_Rget_accumulate at windows.c:@rsum by rank 1 and MPI_Put at windows.c:@rsum-put by rank 1 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 5, and 1 MPI_INT at displacement 5 (GOMPI_CHECK=windows)",
			"rank 0 of 3: MPI_Win_free at windows.c:@update-free: MPI_Accumulate at windows.c:@local-sum by rank 1 and MPI_Get at windows.c:@local-get by rank 1 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 7, and 1 MPI_INT at displacement 7 (GOMPI_CHECK=windows)",
		}},
		{3, "windows request-read", []string{
			"rank 0 of 3: MPI_Win_free at windows.c:@read-free: MPI_Rget at windows.c:@rget by rank 1 and MPI_Put at windows.c:@rget-put by rank 1 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 3, and 1 MPI_INT at displacement 3 (GOMPI_CHECK=windows)",
			"rank 0 of 3: MPI_Win_free at windows.c:@read-free: MPI_Rget_accumulate at windows.c:@rfetch by rank 1 and MPI_Put at windows.c:@rfetch-put by rank 1 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 5, and 1 MPI_INT at displacement 5 (GOMPI_CHECK=windows)",
			"rank 1 of 3: MPI_Wait at windows.c:@rget-wait: origin_addr of MPI_Rget at windows.c:@rget (1 MPI_INT, rank 0 of window \"table\") was changed before the operation was complete (GOMPI_CHECK=buffers)",
		}},
		{3, "windows no-op", []string{
			"rank 0 of 3: MPI_Win_fence at windows.c:@no-op-fence: MPI_Put at windows.c:@no-op-put by rank 1 and MPI_Fetch_and_op at windows.c:@no-op-fetch by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 1, and 1 MPI_INT at displacement 1 (GOMPI_CHECK=windows)",
			"rank 0 of 3: MPI_Win_fence at windows.c:@swap-fence: MPI_Compare_and_swap at windows.c:@swap by rank 1 and MPI_Get at windows.c:@swap-get by rank 2 access the same memory of rank 0 in window \"table\" in one epoch: 1 MPI_INT at displacement 2, and 1 MPI_INT at displacement 2 (GOMPI_CHECK=windows)",
		}},
		{3, "windows no-epoch", []string{
			"rank 1 of 3: MPI_Put at windows.c:@no-epoch: no epoch is open: MPI_Win_fence, MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all has to come first (MPI_ERR_RMA_SYNC)",
		}},
		{3, "windows outside", []string{
			"rank 1 of 3: MPI_Put at windows.c:@outside: 4 elements of MPI_INT at displacement 14 leave the window of rank 0, which has 64 bytes in units of 4 (MPI_ERR_RMA_RANGE)",
		}},
	})
	pass(t, 3, "windows right-fences", "windows right-locks", "windows right-pscw", "windows right-requests",
		"windows right-no-op")
}
