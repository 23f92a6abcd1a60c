/** Tests of the kernel module; those that mount or attach need root and say so when skipped. */
@NullMarked
package io.cleat.kernel;

import org.jspecify.annotations.NullMarked;
