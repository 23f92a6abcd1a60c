/** Tests of reading and unpacking images: real archives, and such that are made to do harm. */
@NullMarked
package io.cleat.image;

import org.jspecify.annotations.NullMarked;
