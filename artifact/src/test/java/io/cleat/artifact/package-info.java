/** Tests of fetching: real servers, real repositories, real and hostile archives. */
@NullMarked
package io.cleat.artifact;

import org.jspecify.annotations.NullMarked;
