/** Tests of this package. */
@NullMarked
package io.cleat.server.duty;

import org.jspecify.annotations.NullMarked;
