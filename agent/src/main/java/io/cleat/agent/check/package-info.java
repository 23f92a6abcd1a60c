/**
 * Checks of services: one call each, over by its deadline, whatever the other side does.
 *
 * <p>Receives: what a check does and where. Hands on: a {@link io.cleat.agent.check.CheckResult}. Runs on: the caller's
 * thread, with one beside it that ends the call in time. If it fails: the check has failed, in words.
 */
@NullMarked
package io.cleat.agent.check;

import org.jspecify.annotations.NullMarked;
