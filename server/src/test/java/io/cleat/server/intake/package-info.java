/** Tests of this package. */
@NullMarked
package io.cleat.server.intake;

import org.jspecify.annotations.NullMarked;
