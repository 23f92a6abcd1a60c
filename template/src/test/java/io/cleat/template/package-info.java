@NullMarked
package io.cleat.template;

import org.jspecify.annotations.NullMarked;
