@NullMarked
package io.cleat.launch;

import org.jspecify.annotations.NullMarked;
