/** A reader with a fault, outside the fuzzer, so that it is covered as the program is. */
@NullMarked
package io.cleat.planted;

import org.jspecify.annotations.NullMarked;
