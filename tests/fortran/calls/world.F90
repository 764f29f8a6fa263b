! What the calls are made with: buffers, objects of every kind, partners of messages, what comes out of
! operations, and the record of what was called.
#include "types.h"
module world
  use interface
  use functions
  use, intrinsic :: iso_c_binding
  implicit none

  integer, parameter :: THE_TAG = 5, MOST = 8, CELLS = 256, ADDRESS_KIND = MPI_ADDRESS_KIND, OFFSET_KIND = MPI_OFFSET_KIND, &
      COUNT_KIND = MPI_COUNT_KIND
  character(len=*), parameter :: FILE_NAME = 'calls.data'
  integer, parameter :: ONE_TO_FOUR(4) = [1, 2, 3, 4]

  ! Four integers for and from each rank.
  integer, asynchronous, target :: in(4 * MOST), out(4 * MOST)
  integer, asynchronous, target :: room(4096), window(CELLS)
  character(len=1024) :: text
  integer :: counts(MOST), displs(MOST), byte_displs(MOST)
  integer(kind=COUNT_KIND) :: counts_c(MOST)
  integer(kind=ADDRESS_KIND) :: displs_c(MOST), byte_displs_c(MOST)
  T_TYPE :: types(MOST)
  ! What the collective operations give: by the rank that gave it, by the place, for the ranks up to this one.
  integer :: gathered(4 * MOST), transposed(4 * MOST), summed(4 * MOST), scanned(4)

  integer :: me, np, left, right, comm_keyval, type_keyval, win_keyval, wrong = 0
  T_COMM :: the_comm, the_cart, the_graph, the_dist
  T_GROUP :: the_group, session_group, group_left, group_right
  T_TYPE :: the_type
  T_WIN :: the_win, shared_win, dynamic_win
  T_FILE :: the_file
  T_INFO :: the_info
  T_SESSION :: the_session
  T_STATUS :: done, received ! the last one, and that of a message of four integers

#include "zz_names.h"
  integer :: called(size(names)) = 0

contains
  ! Notes a call, which must have succeeded.
  subroutine made(name)
    character(len=*), intent(in) :: name
    integer :: i
    do i = 1, size(names)
      if (names(i) == name) then
        called(i) = called(i) + 1
        call ok(name)
        return
      end if
    end do
    call check(.false., name // ' is no routine of this interface')
  end subroutine

  ! Notes a call of a function, which has no error code.
  subroutine valued(name, is_right)
    character(len=*), intent(in) :: name
    logical, intent(in) :: is_right
    ierror = MPI_SUCCESS
    call made(name)
    call check(is_right, name)
  end subroutine

  subroutine ok(name)
    character(len=*), intent(in) :: name
    character(len=MPI_MAX_ERROR_STRING) :: what
    integer :: code, length
    if (ierror == MPI_SUCCESS) return
    code = ierror
    call MPI_Error_string(code, what, length, ierror)
    call check(.false., name // ': ' // what(:length))
  end subroutine

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    print '(a, i0, 2a)', 'rank ', me, ': ', trim(what)
    wrong = wrong + 1
  end subroutine

  ! Every routine has been called, on one of the ranks or in a child, but those that end a program.
  subroutine check_all_called
    integer :: i, all(size(names))
    call MPI_Allreduce(called, all, size(names), MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    do i = 1, size(names)
      if (names(i) /= 'Abort' .and. names(i) /= 'Finalize') &
        call check(all(i) > 0, trim(names(i)) // ' was not called')
    end do
  end subroutine

  ! The four integers that a rank sends to its neighbors.
  function from(rank)
    integer, intent(in) :: rank
    integer :: from(4)
    from = 100 * rank + ONE_TO_FOUR
  end function

  ! Messages around the ring of the ranks: who sends has its receiver, who receives has its sender.
  subroutine receive_left(request)
    T_REQUEST, intent(out) :: request
    call MPI_Irecv(in, 4, MPI_INTEGER, left, THE_TAG, the_comm, request, ierror)
    call ok('Irecv')
    call MPI_Barrier(the_comm, ierror) ! sends in ready mode may come
    call ok('Barrier')
  end subroutine
  subroutine send_right(request)
    T_REQUEST, intent(out) :: request
    call MPI_Isend(out, 4, MPI_INTEGER, right, THE_TAG, the_comm, request, ierror)
    call ok('Isend')
  end subroutine
  subroutine two_requests(two)
    T_REQUEST, intent(out) :: two(2)
    call receive_left(two(1))
    call send_right(two(2))
  end subroutine
  subroutine complete(request)
    T_REQUEST :: request
    call MPI_Wait(request, done, ierror)
    call ok('Wait')
  end subroutine
  subroutine complete_two(two)
    T_REQUEST :: two(2)
    call MPI_Waitall(2, two, MPI_STATUSES_IGNORE, ierror)
    call ok('Waitall')
  end subroutine
  subroutine run_persistent(request)
    T_REQUEST :: request
    call MPI_Start(request, ierror)
    call ok('Start')
    call complete(request)
    call MPI_Request_free(request, ierror)
    call ok('Request_free')
  end subroutine
  logical function counted(status)
    T_STATUS, intent(in) :: status
    integer :: n
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    call ok('Get_count')
    counted = n == 4
  end function

  ! What handles stand for.
  logical function is_congruent(comm)
    T_COMM, intent(in) :: comm
    integer :: result
    call MPI_Comm_compare(comm, the_comm, result, ierror)
    call ok('Comm_compare')
    is_congruent = result == MPI_CONGRUENT
  end function
  logical function has_name()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    integer :: length
    call MPI_Comm_get_name(the_comm, name, length, ierror)
    call ok('Comm_get_name')
    has_name = name == 'calls' .and. length == 5
  end function
  integer function size_of(group)
    T_GROUP, intent(in) :: group
    call MPI_Group_size(group, size_of, ierror)
    call ok('Group_size')
  end function
  integer function size_in_bytes(datatype)
    T_TYPE, intent(in) :: datatype
    call MPI_Type_size(datatype, size_in_bytes, ierror)
    call ok('Type_size')
  end function

  ! Memory of the library's.
  logical function usable(address, cells)
    T_ADDRESS, intent(in) :: address
    integer, intent(in) :: cells
    integer, pointer :: memory(:)
    call c_f_pointer(transfer(address, c_null_ptr), memory, [cells])
    memory = me
    usable = sum(memory) == cells * me
  end function
  subroutine get_memory(memory)
    integer, pointer, intent(out) :: memory(:)
    T_ADDRESS :: address
    call MPI_Alloc_mem(64_ADDRESS_KIND, MPI_INFO_NULL, address, ierror)
    call ok('Alloc_mem')
    call c_f_pointer(transfer(address, c_null_ptr), memory, [16])
  end subroutine
  subroutine give_back(address)
    T_ADDRESS, intent(in) :: address
    integer, pointer :: memory(:)
    call c_f_pointer(transfer(address, c_null_ptr), memory, [16])
    call MPI_Free_mem(memory, ierror)
    call ok('Free_mem')
  end subroutine

  ! What calls have made is freed, unless it is predefined.
  subroutine free_comm(comm)
    T_COMM :: comm
    if (comm == MPI_COMM_NULL .or. comm == MPI_COMM_WORLD .or. comm == MPI_COMM_SELF) return
    call MPI_Comm_free(comm, ierror)
    call ok('Comm_free')
  end subroutine
  subroutine free_group(group)
    T_GROUP :: group
    if (group == MPI_GROUP_NULL .or. group == MPI_GROUP_EMPTY) return
    call MPI_Group_free(group, ierror)
    call ok('Group_free')
  end subroutine
  subroutine free_info(info)
    T_INFO :: info
    if (info == MPI_INFO_NULL) return
    call MPI_Info_free(info, ierror)
    call ok('Info_free')
  end subroutine
  subroutine free_type(datatype)
    T_TYPE :: datatype
    integer :: combiner
#ifdef F08
    integer(kind=COUNT_KIND) :: integers, addresses, large_counts, datatypes
    call MPI_Type_get_envelope(datatype, integers, addresses, large_counts, datatypes, combiner, ierror)
#else
    integer :: integers, addresses, datatypes
    call MPI_Type_get_envelope(datatype, integers, addresses, datatypes, combiner, ierror)
#endif
    call ok('Type_get_envelope')
    select case (combiner)
    case (MPI_COMBINER_NAMED, MPI_COMBINER_F90_REAL, MPI_COMBINER_F90_COMPLEX, MPI_COMBINER_F90_INTEGER, &
        MPI_COMBINER_VALUE_INDEX)
    case default
      call MPI_Type_free(datatype, ierror)
      call ok('Type_free')
    end select
  end subroutine
  subroutine free_op(op)
    T_OP :: op
    call MPI_Op_free(op, ierror)
    call ok('Op_free')
  end subroutine
  subroutine free_errhandler(errhandler)
    T_ERRH :: errhandler
    call MPI_Errhandler_free(errhandler, ierror)
    call ok('Errhandler_free')
  end subroutine
  subroutine free_win(win)
    T_WIN :: win
    call MPI_Win_free(win, ierror)
    call ok('Win_free')
  end subroutine
  subroutine free_file(file)
    T_FILE :: file
    call MPI_File_close(file, ierror)
    call ok('File_close')
  end subroutine
  subroutine free_session(session)
    T_SESSION :: session
    call MPI_Session_finalize(session, ierror)
    call ok('Session_finalize')
  end subroutine

  subroutine make_world
    integer :: i, j
    right = mod(me + 1, np)
    left = mod(me + np - 1, np)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, the_comm, ierror)
    call ok('Comm_dup')
    counts = 4
    counts_c = 4
    types = MPI_INTEGER
    summed = 0
    scanned = 0
    do i = 0, MOST - 1
      displs(i + 1) = 4 * i
      displs_c(i + 1) = 4 * i
      byte_displs(i + 1) = 16 * i
      byte_displs_c(i + 1) = 16 * i
      gathered(4 * i + 1:4 * i + 4) = from(i)
      transposed(4 * i + 1:4 * i + 4) = 100 * i + 4 * me + ONE_TO_FOUR
    end do
    out = [(100 * me + i, i = 1, 4 * MOST)]
    do j = 0, np - 1
      summed = summed + [(100 * j + i, i = 1, 4 * MOST)]
      if (j <= me) scanned = scanned + from(j)
    end do
    call MPI_Comm_group(the_comm, the_group, ierror)
    call MPI_Group_incl(the_group, 1, [left], group_left, ierror)
    call MPI_Group_incl(the_group, 1, [right], group_right, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, comm_keyval, 0_ADDRESS_KIND, ierror)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, type_keyval, 0_ADDRESS_KIND, ierror)
    call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, win_keyval, 0_ADDRESS_KIND, ierror)
    call MPI_Type_dup(MPI_INTEGER, the_type, ierror)
    call MPI_Info_create(the_info, ierror)
    call MPI_Info_set(the_info, 'key', 'a value', ierror)
    call MPI_Cart_create(the_comm, 1, [np], [.true.], .false., the_cart, ierror)
    call MPI_Graph_create(the_comm, np, [(i, i = 1, np)], [(mod(i, np), i = 1, np)], .false., the_graph, ierror)
    call MPI_Dist_graph_create_adjacent(the_comm, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .false., the_dist, ierror)
    call ok('Dist_graph_create_adjacent')
    call MPI_Win_create(window, int(4 * CELLS, ADDRESS_KIND), 4, MPI_INFO_NULL, the_comm, the_win, ierror)
    call make_shared
    call MPI_Win_create_dynamic(MPI_INFO_NULL, the_comm, dynamic_win, ierror)
    call MPI_Win_set_errhandler(the_win, MPI_ERRORS_RETURN, ierror)
    call MPI_Win_set_errhandler(shared_win, MPI_ERRORS_RETURN, ierror)
    call MPI_Win_set_errhandler(dynamic_win, MPI_ERRORS_RETURN, ierror)
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, the_session, ierror)
    call MPI_Group_from_session_pset(the_session, 'mpi://WORLD', session_group, ierror)
    call ok('Group_from_session_pset')
    call MPI_File_open(the_comm, FILE_NAME, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, the_file, ierror)
    call made('File_open')
    call fill_file
    call MPI_Sendrecv(out, 4, MPI_INTEGER, right, THE_TAG, in, 4, MPI_INTEGER, left, THE_TAG, the_comm, received, &
        ierror)
    call ok('Sendrecv')
  end subroutine

  subroutine make_shared
    T_ADDRESS :: memory
    call MPI_Win_allocate_shared(1024_ADDRESS_KIND, 4, MPI_INFO_NULL, the_comm, memory, shared_win, ierror)
    call ok('Win_allocate_shared')
  end subroutine

  ! The first half of the file is for reading, the second for writing.
  subroutine fill_file
    integer :: i
    call MPI_File_write_at_all(the_file, 0_OFFSET_KIND, [(1000 + i, i = 1, 1024)], 1024, MPI_INTEGER, &
        MPI_STATUS_IGNORE, ierror)
    call ok('File_write_at_all')
    call MPI_File_sync(the_file, ierror)
  end subroutine
  integer(kind=OFFSET_KIND) function writing_at()
    writing_at = 2048 + 16 * me
  end function
  subroutine seek(place)
    integer(kind=OFFSET_KIND), intent(in) :: place
    call MPI_File_seek(the_file, place, MPI_SEEK_SET, ierror)
    call ok('File_seek')
  end subroutine
  subroutine seek_shared(place)
    integer(kind=OFFSET_KIND), intent(in) :: place
    call MPI_File_seek_shared(the_file, place, MPI_SEEK_SET, ierror)
    call ok('File_seek_shared')
    call MPI_Barrier(the_comm, ierror)
  end subroutine
  ! Whether the file has what this rank has written to its place.
  logical function written()
    integer :: back(4)
    call MPI_File_sync(the_file, ierror)
    call MPI_File_read_at(the_file, writing_at(), back, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
    call ok('File_read_at')
    written = all(back == out(:4))
    call MPI_File_write_at(the_file, writing_at(), [0, 0, 0, 0], 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierror)
    call MPI_Barrier(the_comm, ierror)
  end function

  ! The window of each rank holds what is known of it.
  subroutine fill_window
    integer :: i
    window = [(500 * me + i, i = 1, CELLS)]
    call MPI_Win_fence(0, the_win, ierror)
    call ok('Win_fence')
  end subroutine
  subroutine fence
    call MPI_Win_fence(0, the_win, ierror)
    call ok('Win_fence')
  end subroutine
  subroutine lock_filled
    call fill_window
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, the_win, ierror)
    call MPI_Win_lock_all(0, the_win, ierror)
    call ok('Win_lock_all')
  end subroutine
  subroutine unlock
    call MPI_Win_unlock_all(the_win, ierror)
    call ok('Win_unlock_all')
    call MPI_Barrier(the_comm, ierror)
  end subroutine

  subroutine free_world
    call MPI_File_close(the_file, ierror)
    call ok('File_close')
    if (me == 0) then
      call MPI_File_delete(FILE_NAME, MPI_INFO_NULL, ierror)
      call made('File_delete')
    end if
    call free_win(the_win)
    call free_win(shared_win)
    call free_win(dynamic_win)
    call free_comm(the_cart)
    call free_comm(the_graph)
    call free_comm(the_dist)
    call free_group(the_group)
    call free_group(session_group)
    call free_group(group_left)
    call free_group(group_right)
    call free_info(the_info)
    call free_type(the_type)
    call MPI_Comm_free_keyval(comm_keyval, ierror)
    call MPI_Type_free_keyval(type_keyval, ierror)
    call MPI_Win_free_keyval(win_keyval, ierror)
    call free_session(the_session)
    call free_comm(the_comm)
  end subroutine
end module
