/** Tests of the battery: that it is whole. */
@NullMarked
package io.cleat.fuzz.requests;

import org.jspecify.annotations.NullMarked;
