/**
 * What Cleat is about: ids, specifications of jobs and volumes, access modes, what a plugin and a node say of
 * themselves, the states of tasks and allocations. Values only.
 *
 * <p>Receives: nothing. Hands on: immutable records. Runs on: any thread. If it fails: a record that cannot be is an
 * {@link IllegalArgumentException} of its constructor; input is checked before.
 */
@NullMarked
package io.cleat.model;

import org.jspecify.annotations.NullMarked;
