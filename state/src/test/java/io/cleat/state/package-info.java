/** Tests of the image. */
@NullMarked
package io.cleat.state;

import org.jspecify.annotations.NullMarked;
