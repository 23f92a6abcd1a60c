/** Tests of what drivers have in common. */
@NullMarked
package io.cleat.driver;

import org.jspecify.annotations.NullMarked;
