@NullMarked
package io.cleat.schedule;

import org.jspecify.annotations.NullMarked;
