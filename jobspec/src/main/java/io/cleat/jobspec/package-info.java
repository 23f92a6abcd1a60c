/**
 * Job and volume files to records of the API.
 *
 * <p>Receives: a {@link io.cleat.jobspec.hcl.Source} and {@link io.cleat.jobspec.hcl.Variables}. Hands on: a record, or
 * all faults of the file. Runs on: the caller's thread. If it fails: the faults, each with its place; nothing else
 * changes.
 */
@NullMarked
package io.cleat.jobspec;

import org.jspecify.annotations.NullMarked;
