/** Tests of the records against recorded answers, of the defaults, and of the client. */
@NullMarked
package io.cleat.api;

import org.jspecify.annotations.NullMarked;
