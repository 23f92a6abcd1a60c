/** Tests of the fuzzer, and the fuzzing that every build does. */
@NullMarked
package io.cleat.fuzz;

import org.jspecify.annotations.NullMarked;
