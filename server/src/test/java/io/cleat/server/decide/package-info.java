/** Tests of what the cluster decides. */
@NullMarked
package io.cleat.server.decide;

import org.jspecify.annotations.NullMarked;
