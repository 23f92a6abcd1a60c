/** Tests of this package. */
@NullMarked
package io.cleat.server.session;

import org.jspecify.annotations.NullMarked;
