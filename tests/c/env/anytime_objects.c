/*
 * Objects that may be made and used at any time (MPI 5.0, 11.4.1): info objects, error classes, codes and
 * texts, error handlers of sessions, handles as integers. Before MPI_Init, in between, after MPI_Finalize;
 * what was made at one time is good at the others.
 */
#include "check.h"

static MPI_Info kept;
static MPI_Errhandler handler;
static int class, code;

static void on_session(MPI_Session *session, int *error, ...) { (void)session, (void)error; }

static void infos(int round)
{
    MPI_Info info, dup, env;
    char value[64] = "", key[MPI_MAX_INFO_KEY];
    int flag = 0, bytes = sizeof value, n = -1;

    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_Info_set(info, "first", "1"));
    CHECK_MPI(MPI_Info_set(info, "second", "2"));
    CHECK_MPI(MPI_Info_dup(info, &dup));
    CHECK_MPI(MPI_Info_delete(info, "first"));
    CHECK_MPI(MPI_Info_get_nkeys(dup, &n));
    CHECK_EQ(n, 2);
    CHECK_MPI(MPI_Info_get_nthkey(dup, 1, key));
    CHECK(strcmp(key, "second") == 0);
    CHECK_MPI(MPI_Info_get_string(dup, "first", &bytes, value, &flag));
    CHECK(flag && strcmp(value, "1") == 0);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(dup)) == dup);
    CHECK_MPI(MPI_Info_free(&info));
    CHECK_MPI(MPI_Info_free(&dup));
    CHECK_MPI(MPI_Info_create_env(0, NULL, &env));
    CHECK_MPI(MPI_Info_get_nkeys(env, &n));
    CHECK(n > 0);
    CHECK_MPI(MPI_Info_free(&env));

    bytes = sizeof value;
    CHECK_MPI(MPI_Info_get_string(kept, "round", &bytes, value, &flag));
    CHECK(flag && atoi(value) == round - 1);
    snprintf(value, sizeof value, "%d", round);
    CHECK_MPI(MPI_Info_set(kept, "round", value));
}

static void errors(int round)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n, got, extra;

    CHECK_MPI(MPI_Error_class(code, &got));
    CHECK_EQ(got, class);
    CHECK_MPI(MPI_Error_string(code, text, &n));
    CHECK(atoi(text) == round - 1);
    snprintf(text, sizeof text, "%d", round);
    CHECK_MPI(MPI_Add_error_string(code, text));
    CHECK_MPI(MPI_Add_error_class(&extra));
    CHECK_MPI(MPI_Remove_error_class(extra));
    CHECK_MPI(MPI_Add_error_code(MPI_ERR_RANK, &extra));
    CHECK_MPI(MPI_Add_error_string(extra, "some text"));
    CHECK_MPI(MPI_Remove_error_string(extra));
    CHECK_MPI(MPI_Remove_error_code(extra));
}

static void handlers(void)
{
    MPI_Errhandler h, same = MPI_Errhandler_f2c(MPI_Errhandler_c2f(handler));
    CHECK(same == handler);
    CHECK_MPI(MPI_Session_create_errhandler(on_session, &h));
    CHECK(h != handler);
    CHECK_MPI(MPI_Errhandler_free(&h));
    CHECK(h == MPI_ERRHANDLER_NULL);
}

static void ask(int round)
{
    infos(round);
    errors(round);
    handlers();
}

int main(int argc, char **argv)
{
    CHECK_MPI(MPI_Info_create(&kept));
    CHECK_MPI(MPI_Info_set(kept, "round", "0"));
    CHECK_MPI(MPI_Add_error_class(&class));
    CHECK_MPI(MPI_Add_error_code(class, &code));
    CHECK_MPI(MPI_Add_error_string(code, "0"));
    CHECK_MPI(MPI_Session_create_errhandler(on_session, &handler));
    ask(1);
    MPI_Init(&argc, &argv);
    check_know_world();
    ask(2);
    if (check_failed)
        check_give_up();
    MPI_Finalize();
    ask(3);
    MPI_Session s;
    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, handler, &s));
    ask(4);
    CHECK_MPI(MPI_Session_finalize(&s));
    ask(5);
    CHECK_MPI(MPI_Errhandler_free(&handler));
    CHECK_MPI(MPI_Info_free(&kept));
    CHECK_MPI(MPI_Remove_error_string(code));
    CHECK_MPI(MPI_Remove_error_code(code));
    CHECK_MPI(MPI_Remove_error_class(class));
    return check_result();
}
