/**
 * The volumes of one node: staged once per volume, published once per claim, written down before each step and looked
 * at after it.
 *
 * <p>Receives: granted claims of allocations. Hands on: host paths where volumes are published. Runs on: one lane per
 * volume. If it fails: a {@link io.cleat.base.Trouble} with what is known of the effect; the journal keeps what is
 * owed, and nothing in use is undone.
 */
@NullMarked
package io.cleat.agent.volumes;

import org.jspecify.annotations.NullMarked;
