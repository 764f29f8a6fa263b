package pmix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// library is a library of PMIx with one rank and a store for some values.
const library = `
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "abi.h"
static char keys[8][64], values[8][64];
static int n;
static gompi_pmix_event_handler *handler;
int PMIx_Init(struct gompi_pmix_proc *p, struct gompi_pmix_info *i, size_t k)
{
	(void)i, (void)k;
	sigset_t now;
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	if (!sigismember(&now, SIGUSR1)) /* a thread that began here would run the program's handlers */
		return -2;
	strcpy(p->nspace, "test");
	p->rank = 3;
	return 0;
}
int PMIx_Finalize(const struct gompi_pmix_info *i, size_t k) { (void)i, (void)k; return -9; }
int PMIx_Abort(int code, const char *why, struct gompi_pmix_proc *p, size_t k)
{
	(void)why, (void)k;
	return p == NULL && code == 7 ? 0 : -3;
}
int PMIx_Put(uint8_t scope, const char *key, struct gompi_pmix_value *v)
{
	if (scope != GOMPI_PMIX_GLOBAL || v->type != GOMPI_PMIX_STRING || n == 8)
		return -4;
	strcpy(keys[n], key);
	strcpy(values[n++], v->data.string);
	return 0;
}
int PMIx_Commit(void) { return 0; }
int PMIx_Fence(const struct gompi_pmix_proc *p, size_t np, const struct gompi_pmix_info *i, size_t ni)
{
	if (np != 1 || p->rank != GOMPI_PMIX_RANK_WILDCARD || strcmp(p->nspace, "test") != 0)
		return -5;
	return ni == 1 && strcmp(i->key, "pmix.collect") == 0 && i->value.data.flag ? 0 : -6;
}
int PMIx_Get(const struct gompi_pmix_proc *p, const char *key, const struct gompi_pmix_info *i, size_t ni, struct gompi_pmix_value **v)
{
	struct gompi_pmix_value *made = calloc(1, sizeof *made);
	*v = NULL;
	if (strcmp(key, "pmix.job.size") == 0 && p->rank == GOMPI_PMIX_RANK_WILDCARD && ni == 1 && strcmp(i->key, "pmix.optional") == 0) {
		made->type = GOMPI_PMIX_UINT32;
		made->data.uint32 = 70000;
	} else if (strcmp(key, "pmix.lrank") == 0 && p->rank == 3) {
		made->type = GOMPI_PMIX_UINT16;
		made->data.uint16 = 2;
	} else if (strcmp(key, "pmix.lpeers") == 0) {
		made->type = GOMPI_PMIX_STRING;
		made->data.string = strdup("1,3");
	} else {
		made->type = GOMPI_PMIX_STRING;
		for (int k = 0; k < n; k++)
			if (strcmp(keys[k], key) == 0 && (p->rank == 5 || p->rank == GOMPI_PMIX_RANK_UNDEF))
				made->data.string = strdup(values[k]);
		if (made->data.string == NULL) {
			free(made);
			return -46;
		}
	}
	*v = made;
	return 0;
}
const char *PMIx_Error_string(int status) { return status == -46 ? "NOT-FOUND" : "SOMETHING"; }
void PMIx_Register_event_handler(int *codes, size_t k, struct gompi_pmix_info *i, size_t ni, gompi_pmix_event_handler *h,
	void (*f)(int, size_t, void *), void *d)
{
	(void)i, (void)ni;
	if (k == 2 && codes[0] == GOMPI_PMIX_LOST_CONNECTION)
		handler = h;
	f(0, 1, d);
}
`

func build(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "libpmix.so.2")
	if err := compile(t, text, "-shared", "-fPIC", "-o", file); err != nil {
		t.Fatal(err)
	}
	return file
}

func readable(fd int) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n == 1
}

func TestClient(t *testing.T) {
	p, err := Open(build(t, library))
	if err != nil {
		t.Fatal(err)
	}
	rank, err := p.Begin()
	if err != nil || rank != 3 {
		t.Fatalf("rank %d, %v", rank, err)
	}
	if n, err := p.Number("pmix.job.size"); n != 70000 || err != nil {
		t.Errorf("size %d, %v", n, err)
	}
	if n, err := p.Number("pmix.lrank"); n != 2 || err != nil {
		t.Errorf("local rank %d, %v", n, err)
	}
	if _, err := p.Number("pmix.lpeers"); err == nil {
		t.Error("a text is a number")
	}
	if text, err := p.Text("pmix.lpeers"); text != "1,3" || err != nil {
		t.Errorf("peers %q, %v", text, err)
	}
	if _, err := p.Text("pmix.job.size"); err == nil {
		t.Error("a number is a text")
	}
	if err := p.Put("key", "value"); err != nil {
		t.Error(err)
	}
	if err := p.Fence(); err != nil {
		t.Error(err)
	}
	for _, from := range []int{5, -1} {
		if value, err := p.Get(from, "key"); value != "value" || err != nil {
			t.Errorf("of rank %d %q, %v", from, value, err)
		}
	}
	if _, err := p.Get(6, "key"); err == nil || !strings.Contains(err.Error(), "NOT-FOUND") {
		t.Errorf("of a rank that has put nothing: %v", err)
	}
	if err := p.Abort(7, "why"); err != nil {
		t.Error(err)
	}
	if err := p.End(); err == nil || !strings.Contains(err.Error(), "PMIx_Finalize: SOMETHING (-9)") {
		t.Errorf("%v", err)
	}
	if readable(p.Lost()) {
		t.Error("the server is gone")
	}
}

// A server that goes is noticed.
func TestLostServer(t *testing.T) {
	text := strings.Replace(library, "int PMIx_Commit(void) { return 0; }", `int PMIx_Commit(void)
{
	handler(1, GOMPI_PMIX_LOST_CONNECTION, NULL, NULL, 0, NULL, 0, NULL, NULL);
	return 0;
}`, 1)
	p, err := Open(build(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := p.Fence(); err != nil {
		t.Error(err)
	}
	if !readable(p.Lost()) {
		t.Error("nobody has noticed")
	}
}

func TestNoLibrary(t *testing.T) {
	if _, err := Open("/nonexistent/libpmix.so.2"); err == nil || !strings.Contains(err.Error(), "/nonexistent/libpmix.so.2") {
		t.Errorf("%v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(text); err == nil {
		t.Error("a text is a library")
	}
	if _, err := Open(build(t, "int PMIx_Init(void) { return 0; }\n")); err == nil || !strings.Contains(err.Error(), "PMIx_Finalize") {
		t.Errorf("%v", err)
	}
}
