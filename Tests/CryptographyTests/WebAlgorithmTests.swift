import Bytes
import Cryptography
import Testing

/// Token signatures by another implementation, joserfc 1.8.0.
struct WebAlgorithmTests {
    private static let modulus =
        "upgQjpIVAQKRTvdtYl8pirezLAd9MkVcor8ocPN-KnUqVZYZuT3pt8YmvClnwHTl7aLX4w1Qcc1GzdD89xey"
        + "OIkUeADCOq8nBaODTxi6oOzgSrvpaRWao4TGXNN4uWfAVfQ7GUUklt9Ezf3MHgThzacK1goUkQTJ-k9JFWop"
        + "AfGi8EjDKFklTITnZ5mltub4045sMpmChutcaXZeORuXAYdILLT4GErmGN4-INKmSxsuAgw4Oh7lSOBkIFd9"
        + "P81xSbtXU31AnZ4p_4aOodSjTChxq72JBA_96LdJr-Jnns6RC4nFJnVK6p0-Dk5YUrQFEZGo5aKti6JYOnD0"
        + "5vkYVw"

    /// The algorithm, the coordinates of its key if that is not the RSA key, and the token.
    private static let tokens: [(WebAlgorithm, [String], String)] = [
        (
            .rs256,
            [],
            "eyJhbGciOiJSUzI1NiJ9.d2hvIHNpZ25lZCB0aGlzPw.QB9sprmgcRTI97JBtgkXHSXlOrl7C-fHEdUal3BJ"
                + "XIV6V3_bxzLavI8oYod7PWexc1TeSvV1eRs6fOGfLJ9q5QN8b8R4hljHRjdS3FBQ9TCF5U7TeAzSEeerFfNu"
                + "Q39dabmWv8mDFSPrPX9g7P8K1NHUdDM6H7IGfkT60SfmyMfXXlVtJigQTZTMzS8S7oV-5Ta-MSxN2REPGzZd"
                + "7YAP0dom8ZocBLZ5yTbrRsn6JLvyiuaHCcyEoyLiYh-9ZNzVhKDpE9JUBa2ZJ82JlcL8NiYzPaopq7wWYd0v"
                + "S3AXBxuyrLlx0CC8qh6KXuFtXeDlrVxOewp5dx3gkQyBhXRHFQ",
        ),
        (
            .rs384,
            [],
            "eyJhbGciOiJSUzM4NCJ9.d2hvIHNpZ25lZCB0aGlzPw.gUBS9_EGWMMvVLlOgL3jv0FHx6R9JM1HMx88pPxR"
                + "gaL1dWKliYzKhzOBFykKfjVo09lvp9OYxNNujG9J1nwmTcXAbQkp35DKHioP7uJDnGme5UdT6HVoCY-oIhxd"
                + "TaXtPcI5JXT_Zw1vAicAwMzL76KB1QY541vTu5cAxa1vRKnq7qo0OGYHryiW_VfHcbrD9bCI7c-TsbElFwgv"
                + "WJ9mq55RCansXYAB__Oo6TQvUECsG7kiQ92D3ict2d6zj56hrytZKGgT4rO3xEozl2ScyHnG-utzHsgLbPB-"
                + "pzAYp8qcY8X73fMFAILgaiFzzN8lM4cBIdfxZXkb136X27WCbA",
        ),
        (
            .rs512,
            [],
            "eyJhbGciOiJSUzUxMiJ9.d2hvIHNpZ25lZCB0aGlzPw.twXZ0IqYa4BTHN_FwuhJq8pGlEcF07QMm0lubuOr"
                + "HPyis29HxRYgEI5qBkXOgSM1lAVAd5TBAFKxEZWxaxMR7_ERe6IZ_tgLzW6_U7NbZGbde_nANhUN0wdthnld"
                + "BUut1oKw4L0Kfqyu_117H4slKp7q_65arb1Qwik3wqC-EujZSuWg4XdsziIuNxUCGaf5soLAYjothQ1S7tGJ"
                + "v_0UWIkXSoQz12I2wW2VNGy38OE-VvSvfgRe4uxWd0YxXbcSy2IDxsV-2fgL_K5J6aM9V0kH9wv63b4v10pW"
                + "Jd9UpA_NIYWchtJU8GLFQ8k-JZCyI5t6GPySSLdRaMEkG1BqVg",
        ),
        (
            .ps256,
            [],
            "eyJhbGciOiJQUzI1NiJ9.d2hvIHNpZ25lZCB0aGlzPw.qQgjwmLnvyP3RTdqdkpcr2H5lOpZ-PaudKpiQe3Q"
                + "FlE9cIy6Hf1uXzroK0CICgHAc0Zs0FLLiWKKXm93VHrhm_PDZy1uafhMpM254h2VIIby_RDejkuZJHamRbz8"
                + "PVKF1OyqyXkooBu0gFTVmT9srV-FgCVY3aZcsJI9umXurVg4IhRC-mUTwG7UCcDmebUia1nmU5zrL62Z4xCe"
                + "c2Axlpt1rXtrkwqe7jBQMgOTycjCiE8_r3cBBIaSJfXkOQ5FiJ2E2spy48UXMUL5pMI0msfy78zJLjJedQeQ"
                + "PePFCMWs9rSpLT3t8TqWJmUSdo0XX3xcH0XwCuEBdLbZCW3KMA",
        ),
        (
            .ps384,
            [],
            "eyJhbGciOiJQUzM4NCJ9.d2hvIHNpZ25lZCB0aGlzPw.ExHdD8JIPKrEDbN_GEdCvGjFDby3vZVJVU6xu6a0"
                + "hEW0gkkz7LnPSADRmaFraKpaqkZsy3mFQXIsN8USqCw32mbXNfPxZQiGHMiJRu9mAE-t5S67IlnzeFIpl7cA"
                + "pFsFuEyI_YfcSKWoHfZz5hDbdVOCHy32WwYRlBCvZIlyRRzfjUEAJdFbQLlCOUj5P1bJYOeUxgcNIPuywIzQ"
                + "TvMu-fhd1Hx-SSIeujchVRPm4WjCnwz8-8q5LsPsQx0n9WlSfW0zX17TX3Rn3EGQi5QsfY_moDooWGiOz-Qb"
                + "sypuBPMSJ4SXLTlAjxjrOHdKKgeGXUkugUa9UCKjPZZTVes6cg",
        ),
        (
            .ps512,
            [],
            "eyJhbGciOiJQUzUxMiJ9.d2hvIHNpZ25lZCB0aGlzPw.hMSM66_vvtCBdE8gxHCsz4epRim0jsf_77epZF2Y"
                + "OkryACgh9e_Z_l23tKvtmw7CGsSTQZIYuiN2f9lmGiAoQ7j2ChPfcyVm_tPrvSCddx6iEB7yi8gnWOJCDMzl"
                + "vswk-LiQp-BPfGuOcxUUHc9_EjMts3BSW1-t3vlfnJtVKShfkY7zy4gCp90wdjFjTRlXg_-hvvkh16bUdTkH"
                + "xSedPTOBMdGLMF-46vg9WXDaV0iBNy3QSn8Vg5Yj5A2TSjkEug1jIuV5wTPumfYitvWrWa1MkJELUb8LuWeV"
                + "Ts9obhWK8c3Le7EoptAh8B6BKgV6pCNRFDrnblvT5Kmp7gXLIw",
        ),
        (
            .es256,
            [
                "F4k7hjSZPngQV0bDyWhoV45gfQQ9_G4QSwQTI_gwh5U",
                "W7yjkPu08eStGYfkXavieegJgK_ZHScLcpvUQN7KKKE",
            ],
            "eyJhbGciOiJFUzI1NiJ9.d2hvIHNpZ25lZCB0aGlzPw.5jf-QO3_SR2ZBYh5xdvSmLHwXveSpZH6YxREEPJo"
                + "HBafsAJ8DjCrhftCBXZCpGpk5cDCzQnVo6S2CvAGc6p4YQ",
        ),
        (
            .es384,
            [
                "-01XN--e3VxGb2PFnuNZ-B4SVNsrAQB5hbA6jFWYHGeEglwieudAMtg9TwlGc4I_",
                "AIdS2M3bWZqWICyzizkRW2M5NGJhV25webnv8__Hz_owV2mTbLmxH7OxlzZWwrUf",
            ],
            "eyJhbGciOiJFUzM4NCJ9.d2hvIHNpZ25lZCB0aGlzPw.kxLW8TzCz8U_leuZ5Kf_-g65SLO_klJL09s0ayKA"
                + "P4dJmIYWVam49Z6rRib4eaBvIBx2xiGLfy370m1Va5OXhJU4tpPoVm7aMYUSbXTJzDmW-Kyd1zxDa1Jh4-v2"
                + "EDSS",
        ),
        (
            .es512,
            [
                "AV0Ucs2Xc-SU4R-eym8EbhRU5AS7QbnFCxXRut7Bbd5hMf7Qv4tQBJYKPGvMZTwRSZS3tNXqg2BQpDFot45W"
                    + "HwFg",
                "AG_m0SwPCswkicsBTxJOjNo5svi2O8ZjEJeaHtmtoWYyjaJWy817V86uHxCrPuG5R4mhsdKkdfJfbfHgyq7U"
                    + "PiRv",
            ],
            "eyJhbGciOiJFUzUxMiJ9.d2hvIHNpZ25lZCB0aGlzPw.AO18hZqRrffSbEMK2g8o4au964BX3rWW3712HS_L"
                + "EX1ObgIZXfVfZ0tF-QmQu2FCvVZSRSny8XJl0rh6ffKlYFxlAd-SL3oXWgKY8bhwNJX96PGCue0Hha1TLciN"
                + "sDnIQr6NXE2y5V4VJigzl9g0sx8mkWTaXiAUax-FnfKlw0Ean_j6",
        ),
        (
            .edDSA,
            [
                "Zncd9LQF4YsTbWQIehszbYQFieUxrz_62gnRr-c6En0"
            ],
            "eyJhbGciOiJFZERTQSJ9.d2hvIHNpZ25lZCB0aGlzPw.8dALFXtlwXU_eJGupqDTbLvmEPgrb-kpy08OrPAF"
                + "TElxbJ3PPzwJa4GOg89GMCxpqjc3mujEENOSEK30h83HBQ",
        ),
    ]

    private static func key(_ algorithm: WebAlgorithm, _ numbers: [String]) throws -> PublicKey {
        let numbers = try numbers.map { try #require(Base64URL.bytes($0)) }
        let modulus = try #require(Base64URL.bytes(modulus))
        let key: PublicKey? =
            switch algorithm {
            case .es256: PublicKey(.p256, x: numbers[0], y: numbers[1])
            case .es384: PublicKey(.p384, x: numbers[0], y: numbers[1])
            case .es512: PublicKey(.p521, x: numbers[0], y: numbers[1])
            case .edDSA: PublicKey(ed25519: numbers[0])
            default: PublicKey(modulus: modulus, exponent: [1, 0, 1])
            }
        return try #require(key)
    }

    @Test func `what another implementation has signed is believed, and nothing near it`() throws {
        #expect(Self.tokens.map(\.0) == WebAlgorithm.allCases)
        for (algorithm, numbers, token) in Self.tokens {
            let key = try Self.key(algorithm, numbers)
            let parts = token.split(separator: ".").map(String.init)
            let message = Array("\(parts[0]).\(parts[1])".utf8)
            let signature = try #require(Base64URL.bytes(parts[2]))
            #expect(key.verifies(signature, over: message, by: algorithm), "\(algorithm)")
            #expect(!key.verifies(signature, over: message + [0], by: algorithm), "\(algorithm)")
            for index in [0, signature.count / 2, signature.count - 1] {
                var changed = signature
                changed[index] ^= 1
                #expect(!key.verifies(changed, over: message, by: algorithm), "\(algorithm)")
            }
            #expect(!key.verifies(signature + [0], over: message, by: algorithm), "\(algorithm)")
            #expect(!key.verifies([], over: message, by: algorithm), "\(algorithm)")
            // The same bytes are invalid for any other algorithm.
            for other in WebAlgorithm.allCases where other != algorithm {
                #expect(
                    !key.verifies(signature, over: message, by: other),
                    "\(algorithm) \(other)",
                )
            }
        }
    }

    @Test func `numbers that make no key worth believing are refused`() throws {
        let modulus = try #require(Base64URL.bytes(Self.modulus))
        #expect(PublicKey(modulus: modulus, exponent: [1]) == nil)
        #expect(PublicKey(modulus: modulus, exponent: [2]) == nil)
        #expect(PublicKey(modulus: modulus, exponent: []) == nil)
        #expect(PublicKey(modulus: modulus, exponent: [1, 0, 0, 0, 1]) == nil)
        #expect(PublicKey(modulus: Array(modulus.prefix(128)), exponent: [1, 0, 1]) == nil)
        #expect(PublicKey(modulus: modulus.dropLast() + [0], exponent: [1, 0, 1]) == nil)
        #expect(PublicKey(modulus: [], exponent: [1, 0, 1]) == nil)
        let one = [UInt8](repeating: 1, count: 32)
        #expect(PublicKey(.p256, x: one, y: one) == nil, "no point of the curve")
        #expect(PublicKey(.p256, x: [], y: one) == nil)
        #expect(PublicKey(ed25519: [1]) == nil)
    }
}
