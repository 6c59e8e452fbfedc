import Essentials

/// The authority that certifies the keys of iPhones, iPads and iPods touch.
///
/// Apple's "Over-the-Air Profile Delivery and Configuration" prints the certificate and requires servers
/// to check that it issued an enrolling device's certificate. It expired in 2014, but its key still
/// signs, so the key is pinned and the dates are ignored.
enum AppleDeviceAuthority {
    static var encoded: [UInt8] {
        Data(base64Encoded: deviceAuthority, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
            ?? []
    }

    /// SHA-256 76f27d00…6cce; RSA 1024, SHA-1, until 2014-04-16.
    private static let deviceAuthority = """
        MIIDaTCCAlGgAwIBAgIBATANBgkqhkiG9w0BAQUFADB5MQswCQYDVQQGEwJVUzETMBEGA1UEChMKQXBwbGUgSW5j
        LjEmMCQGA1UECxMdQXBwbGUgQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkxLTArBgNVBAMTJEFwcGxlIGlQaG9uZSBD
        ZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTAeFw0wNzA0MTYyMjU0NDZaFw0xNDA0MTYyMjU0NDZaMFoxCzAJBgNVBAYT
        AlVTMRMwEQYDVQQKEwpBcHBsZSBJbmMuMRUwEwYDVQQLEwxBcHBsZSBpUGhvbmUxHzAdBgNVBAMTFkFwcGxlIGlQ
        aG9uZSBEZXZpY2UgQ0EwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAPGUSsnquloYYK3Lok1NTlQZaRdZB2bL
        l+hmmkdfRq5nerVKc1SxywT2vTa4DFU4ioSDMVJl+TPhl3ecK0wmsCU/6TKqewh0lOzBSzgdZ04IUpRai1mjXNeT
        9KD+VYW7TEaXXm6yd0UvZ1y8Cxi/WblshvcqdXbSGXH0KWO5JQuvAgMBAAGjgZ4wgZswDgYDVR0PAQH/BAQDAgGG
        MA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFLL+ISNEhpVqedWBJo5zENinTI50MB8GA1UdIwQYMBaAFOc0Ki4i
        3jlga7SUzneDYS8xoHw1MDgGA1UdHwQxMC8wLaAroCmGJ2h0dHA6Ly93d3cuYXBwbGUuY29tL2FwcGxlY2EvaXBo
        b25lLmNybDANBgkqhkiG9w0BAQUFAAOCAQEAd13PZ3pMViukVHe9WUg8Hum+0I/0kHKvjhwVd/IMwGlXyU7DhUYW
        dja2X/zqj7W24Aq57dEKm3fqqxK5XCFVGY5HI0cRsdENyTP7lxSiiTRYj2mlPedheCn+k6T5y0U4Xr40FXwWb2nW
        qCF1AgIudhgvVbxlvqcxUm8Zz7yDeJ0JFovXQhyO5fLUHRLCQFssAbf8B4i8rYYsBUhYTspVJcxVpIIltkYpdIRS
        IARA49HNvKK4hzjzMS/OhKQpVKw+OCEZxptCVeN2pjbdt9uzi175oVo/u6B2ArKAW17u6XEHIdDMOe7cb33peVI6
        TD15W4MIpyQPbp8orlXe+tA8JA==
        """
}

extension TrustAnchors {
    /// Apple iPhone Device CA only: the authority that must have issued the certificate of an enrolling
    /// device.
    ///
    /// Apple's roots are not included, because they also certify much that is not a device.
    package static let appleDevices = TrustAnchors(
        pinned: [AppleDeviceAuthority.encoded].compactMap { try? Certificate(der: $0) },
        additional: [],
    )
}
