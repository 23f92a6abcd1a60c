/**
 * Fakes that stand where the outside world stands, for tests only: a scriptable CSI plugin over a real socket. And the
 * check that no class of tests leaves anything on the machine.
 *
 * <p>Receives: a script from a test. Hands on: answers, lies and silence to the code under test, and a log of what it
 * was asked. Runs on: its own threads. If it fails: the test sees the exception.
 */
@NullMarked
package io.cleat.testkit;

import org.jspecify.annotations.NullMarked;
