// swift-tools-version: 6.3

import PackageDescription

/// Only the last `-sanitize` option takes effect, so it names all sanitizers; `Fuzzing/run` chooses them.
let sanitizers = ["-sanitize=" + (Context.environment["OTA_FUZZ_SANITIZERS"] ?? "fuzzer")]

/// Feeds hostile bytes to the targets that parse them; `Fuzzing/run` builds it with its sanitizers.
///
/// The targets are symbolic links to the folders of `ota` itself, so that libFuzzer instruments them. Of
/// `Mirrors`, `OpenID`, `Pages`, `HTTPServing` and `SiteServices`, only the files that parse untrusted bytes
/// are linked.
///
/// libFuzzer visits all counters after each input, and so only the parsers are instrumented: with NIO, and
/// with targets that are needed only for their types, there would be three times as many counters.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])],
        ),
        .systemLibrary(name: "CFuzzer"),
        .target(name: "Essentials"),
        .target(name: "Problems", dependencies: ["Essentials"]),
        .target(name: "Bytes", dependencies: ["Problems"]),
        .target(name: "Identifiers", dependencies: ["Bytes"]),
        .target(
            name: "ASN1Reading",
            dependencies: ["Bytes", .product(name: "SwiftASN1", package: "swift-asn1")],
        ),
        .target(
            name: "PropertyLists",
            dependencies: [
                "ASN1Reading", "Bytes", "Essentials", "Problems",
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
        ),
        .target(name: "Zip", dependencies: ["Bytes", "CZlib", "Problems"]),
        .target(name: "Images", dependencies: ["Bytes", "CZlib", "Problems"]),
        .target(
            name: "MachOFormat",
            dependencies: ["Bytes", "Essentials", "Problems", "PropertyLists"],
        ),
        .target(
            name: "Cryptography",
            dependencies: [
                "ASN1Reading", "Bytes", "COpenSSL", "Essentials", "Problems",
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
        ),
        .target(
            name: "Bundles",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "Identifiers", "Images", "Problems",
                "PropertyLists", "Zip",
            ],
        ),
        .target(
            name: "CodeSignature",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "MachOFormat", "Problems",
                "PropertyLists", "Zip",
            ],
        ),
        .target(
            name: "Inspection",
            dependencies: [
                "Bundles", "Bytes", "CodeSignature", "Cryptography", "Essentials", "Identifiers",
                "MachOFormat", "Problems", "PropertyLists", "Zip",
            ],
        ),
        .target(
            name: "Signing",
            dependencies: [
                "Bundles", "Bytes", "CodeSignature", "Cryptography", "Essentials", "Identifiers",
                "Inspection", "MachOFormat", "Problems", "PropertyLists", "Zip",
            ],
        ),
        .target(
            name: "Sample",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "Images", "Problems", "PropertyLists",
                "Signing", "Zip", .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
        ),
        .target(
            name: "Versions",
            dependencies: [
                "Bytes", "Essentials", "Problems", .product(name: "Yams", package: "Yams"),
            ],
        ),
        .target(
            name: "Access",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Problems",
            ],
        ),
        .target(
            name: "OpenID",
            dependencies: ["Access", "Bytes", "Cryptography", "Essentials", "Problems"],
        ),
        .target(
            name: "Releases",
            dependencies: [
                "Access", "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers",
                "Inspection", "Problems", "PropertyLists",
            ],
        ),
        .target(
            name: "Uploads",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Problems",
                "Releases",
            ],
        ),
        .target(name: "Pages"),
        .target(
            name: "Mirrors",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "Identifiers", "Problems", "Releases",
                "Versions", .product(name: "Yams", package: "Yams"),
            ],
        ),
        .target(
            name: "HTTPServing",
            dependencies: [
                "Problems", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
        ),
        .target(
            name: "SiteServices",
            dependencies: [
                "Bundles", "Bytes", "Identifiers",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
        ),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Bundles", "Bytes", "CFuzzer", "CodeSignature", "Cryptography", "HTTPServing",
                "Identifiers", "Images", "MachOFormat", "Mirrors", "OpenID", "Pages",
                "PropertyLists", "Releases", "Sample", "Signing", "SiteServices", "Uploads",
                "Versions", "Zip", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            // libFuzzer also contains a main function, which lld drops and gold does not.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"] + sanitizers)],
        ),
    ],
    swiftLanguageModes: [.v6],
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ]
    if !["Access", "Inspection", "Sample"].contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(sanitizers))
    }
}
