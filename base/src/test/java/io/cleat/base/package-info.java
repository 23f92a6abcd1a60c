@NullMarked
package io.cleat.base;

import org.jspecify.annotations.NullMarked;
