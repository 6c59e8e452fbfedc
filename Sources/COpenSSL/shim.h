#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros, which Swift cannot call. */

static inline EVP_PKEY *ota_generate_rsa(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

static inline EVP_PKEY *ota_generate_ec(const char *curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}

static inline void ota_free_certificates(STACK_OF(X509) *certificates) {
    sk_X509_pop_free(certificates, X509_free);
}

static inline int ota_certificate_count(const STACK_OF(X509) *certificates) {
    return certificates == NULL ? 0 : sk_X509_num(certificates);
}

static inline X509 *ota_certificate_at(const STACK_OF(X509) *certificates, int index) {
    return sk_X509_value(certificates, index);
}

static inline int ota_content_count(const STACK_OF(PKCS7) *contents) {
    return contents == NULL ? 0 : sk_PKCS7_num(contents);
}

static inline PKCS7 *ota_content_at(const STACK_OF(PKCS7) *contents, int index) {
    return sk_PKCS7_value(contents, index);
}

static inline void ota_free_contents(STACK_OF(PKCS7) *contents) {
    sk_PKCS7_pop_free(contents, PKCS7_free);
}

static inline int ota_content_is_data(const PKCS7 *content) {
    return PKCS7_type_is_data(content) && content->d.data != NULL;
}

/* NULL for contents that are not encrypted by a passphrase. */
static inline const X509_ALGOR *ota_content_algorithm(const PKCS7 *content) {
    if (!PKCS7_type_is_encrypted(content) || content->d.encrypted == NULL
        || content->d.encrypted->enc_data == NULL
        || content->d.encrypted->enc_data->enc_data == NULL)
        return NULL;
    return content->d.encrypted->enc_data->algorithm;
}

static inline int ota_bag_count(const STACK_OF(PKCS12_SAFEBAG) *bags) {
    return bags == NULL ? 0 : sk_PKCS12_SAFEBAG_num(bags);
}

static inline const PKCS12_SAFEBAG *ota_bag_at(const STACK_OF(PKCS12_SAFEBAG) *bags, int index) {
    return sk_PKCS12_SAFEBAG_value(bags, index);
}

static inline void ota_free_bags(STACK_OF(PKCS12_SAFEBAG) *bags) {
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}
