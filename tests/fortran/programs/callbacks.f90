! Functions of the program's, attributes and error handlers in mpi_f08, and what C shares with them (c_side.c).
module functions
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: copies = 0, deletes = 0, errors = 0, queries = 0, frees = 0, cancels = 0
contains
  subroutine add(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    if (datatype /= MPI_INTEGER) return
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = inout + in
  end subroutine
  subroutine add_c(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = inout + in
    if (datatype /= MPI_INTEGER) inout = -1
  end subroutine
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in + extra_state
    flag = oldcomm /= MPI_COMM_NULL .and. comm_keyval /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
    copies = copies + 1
  end subroutine
  subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    ierror = MPI_SUCCESS
    if (attribute_val == 0 .or. extra_state /= 1000 .or. comm == MPI_COMM_NULL &
        .or. comm_keyval == MPI_KEYVAL_INVALID) ierror = MPI_ERR_ARG
    deletes = deletes + 1
  end subroutine
  subroutine handler(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code, class
    call MPI_Error_class(error_code, class)
    if (comm == MPI_COMM_WORLD .and. class == MPI_ERR_TAG) errors = errors + 1
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state))
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = 5
    queries = queries + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    if (extra_state == 7) frees = frees + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (extra_state == 7 .and. .not. complete) cancels = cancels + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks
  use mpi_f08
  use functions
  use checks
  implicit none
  interface
    subroutine c_side(comm, f_key, c_key, wrong) bind(C)
      import
      integer(c_int), value :: comm, f_key
      integer(c_int) :: c_key, wrong
    end subroutine
    subroutine c_end(comm, wrong) bind(C)
      import
      integer(c_int), value :: comm
      integer(c_int) :: wrong
    end subroutine
  end interface
  type(MPI_Comm) :: a, b
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: errhandler
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer :: key, c_key, n, i, x(3), y(3), wrong, ierror
  integer(kind=MPI_ADDRESS_KIND) :: value
  integer(kind=MPI_COUNT_KIND) :: three
  logical :: flag

  call begin
  x = [1, 2, 3]
  call MPI_Op_create(add, .false., op)
  call MPI_Allreduce(x, y, 3, MPI_INTEGER, op, MPI_COMM_WORLD)
  n = np
  call check(all(y == n * x), 'reduction')
  call MPI_Op_free(op)
  call check(op == MPI_OP_NULL, 'freed')
  call MPI_Op_create_c(add_c, .true., op)
  three = 3
  call MPI_Allreduce(x, y, three, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(all(y == np * x), 'reduction of a large count')
  call MPI_Op_free(op)

  call MPI_Comm_dup(MPI_COMM_WORLD, a)
  call MPI_Comm_create_keyval(copy, delete, key, 1000_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(a, key, -3000000000_MPI_ADDRESS_KIND)
  call MPI_Comm_get_attr(a, key, value, flag)
  call check(flag .and. value == -3000000000_MPI_ADDRESS_KIND, 'attribute')
  call MPI_Comm_dup(a, b)
  call MPI_Comm_get_attr(b, key, value, flag)
  call check(flag .and. value == -2999999000_MPI_ADDRESS_KIND .and. copies == 1, 'copy')
  call MPI_Comm_free(b)
  call check(deletes == 1, 'delete')
  call MPI_Comm_get_attr(a, MPI_TAG_UB, value, flag)
  call check(flag .and. value >= 32767, 'tag ub')

  ! C reads it by address, and sets one that is read here as an address.
  wrong = 0
  call c_side(a%MPI_VAL, key, c_key, wrong)
  call check(wrong == 0, 'attributes in C')
  call MPI_Comm_get_attr(a, c_key, value, flag)
  call check(flag .and. value /= 0, 'attribute of C')
  call MPI_Comm_dup(a, b)
  call c_end(b%MPI_VAL, wrong)
  call check(wrong == 0, 'attribute of C in a duplicate')
  call MPI_Comm_free(b)
  call MPI_Comm_free(a)
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_SELF, key, 5_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_SELF, a)
  call MPI_Comm_get_attr(a, key, value, flag)
  call check(flag .and. value == 5, 'predefined functions')
  call MPI_Comm_free(a)

  call MPI_Comm_create_errhandler(handler, errhandler)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler)
  call MPI_Send(x, 1, MPI_INTEGER, me, -7, MPI_COMM_WORLD, ierror)
  call check(ierror /= MPI_SUCCESS .and. errors == 1, 'error handler')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  call MPI_Errhandler_free(errhandler)

  call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request)
  call MPI_Cancel(request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_elements(status, MPI_INTEGER, n)
  call check(n == 7 .and. status%MPI_SOURCE == 5, 'status of a generalized request')
  call check(queries == 1 .and. frees == 1 .and. cancels == 1, 'generalized request')
  call finish
end program
