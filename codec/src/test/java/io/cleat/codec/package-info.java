@NullMarked
package io.cleat.codec;

import org.jspecify.annotations.NullMarked;
