@NullMarked
package io.cleat.wire;

import org.jspecify.annotations.NullMarked;
