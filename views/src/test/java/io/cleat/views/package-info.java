@NullMarked
package io.cleat.views;

import org.jspecify.annotations.NullMarked;
