/**
 * The battery of hostile requests: each route of the table, each kind of damage.
 *
 * <p>Receives: the ids of what there is to ask for, and a seed. Hands on: requests as bytes. Runs on: the caller's
 * thread. If it fails: nothing was sent yet.
 */
@NullMarked
package io.cleat.fuzz.requests;

import org.jspecify.annotations.NullMarked;
