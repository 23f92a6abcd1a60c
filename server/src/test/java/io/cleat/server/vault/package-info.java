/** Tests of this package. */
@NullMarked
package io.cleat.server.vault;

import org.jspecify.annotations.NullMarked;
