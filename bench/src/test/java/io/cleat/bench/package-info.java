@NullMarked
package io.cleat.bench;

import org.jspecify.annotations.NullMarked;
