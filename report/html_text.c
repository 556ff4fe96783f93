#include "report/html_int.h"

void html_bytes(text_buffer *out, const char *text, size_t length) {
    for (size_t i = 0, n; i < length; i += n ? n : 1) {
        unsigned char c = (unsigned char)text[i];
        n = text_sequence(text + i, length - i);
        switch (c) {
        case '&':
            text_put(out, "&amp;");
            break;
        case '<':
            text_put(out, "&lt;");
            break;
        case '>':
            text_put(out, "&gt;");
            break;
        case '"':
            text_put(out, "&quot;");
            break;
        case '\'':
            text_put(out, "&#39;");
            break;
        default: // control characters and bytes that are no UTF-8 are not allowed in a page
            if (n == 0 || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t'))
                text_put(out, "&#xfffd;");
            else
                for (size_t k = 0; k < n; k++)
                    array_push(out, text[i + k]);
        }
    }
}

void html_put(text_buffer *out, const char *text) {
    if (text)
        html_bytes(out, text, strlen(text));
}

void html_term(html_page *p, const term *t) {
    html_put(p->out, term_text(p->arena, t));
}

void html_base64(text_buffer *out, const unsigned char *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t n = length - i < 3 ? length - i : 3;
        uint32_t three = (uint32_t)bytes[i] << 16;
        three |= n > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        three |= n > 2 ? bytes[i + 2] : 0;
        for (size_t k = 0; k < 4; k++)
            array_push(out, k <= n ? digits[three >> (18 - 6 * k) & 63] : '=');
    }
}
