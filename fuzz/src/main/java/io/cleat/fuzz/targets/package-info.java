/**
 * The readers of what comes from outside, each as one target.
 *
 * <p>Receives: bytes. Hands on: nothing; how a reader ends is the answer. Runs on: the campaign's thread. If it fails:
 * that is a finding.
 */
@NullMarked
package io.cleat.fuzz.targets;

import org.jspecify.annotations.NullMarked;
