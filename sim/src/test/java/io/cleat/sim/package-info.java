@NullMarked
package io.cleat.sim;

import org.jspecify.annotations.NullMarked;
