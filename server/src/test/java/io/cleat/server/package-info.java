/** Tests of the server put together, and what other packages' tests share. */
@NullMarked
package io.cleat.server;

import org.jspecify.annotations.NullMarked;
