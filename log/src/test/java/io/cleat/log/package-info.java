@NullMarked
package io.cleat.log;

import org.jspecify.annotations.NullMarked;
