// swift-tools-version: 6.3

import PackageDescription

/// The targets in build order: each depends only on those above it.
let package = Package(
    name: "ota",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "ota", targets: ["ota"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.0",
            traits: [],
        ),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])],
        ),
        .systemLibrary(name: "CLinux"),
        .target(name: "Essentials"),
        .target(name: "Problems", dependencies: ["Essentials"]),
        .target(name: "Bytes", dependencies: ["Essentials", "Problems"]),
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
            name: "Cryptography",
            dependencies: [
                "ASN1Reading", "Bytes", "COpenSSL", "Essentials", "Problems",
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
        ),
        .target(
            name: "MachOFormat",
            dependencies: ["Bytes", "Essentials", "Problems", "PropertyLists"],
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
        .target(name: "Addresses", dependencies: ["Cryptography", "Problems"]),
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
        .target(
            name: "Enrolment",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Problems",
                "PropertyLists",
            ],
        ),
        .target(
            name: "Symbols",
            dependencies: [
                "Bytes", "Essentials", "Identifiers", "MachOFormat", "Problems", "Releases", "Zip",
            ],
        ),
        .target(
            name: "Provenance",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Problems",
                "Releases",
            ],
        ),
        .target(
            name: "Store",
            dependencies: [
                "Access", "Bundles", "Bytes", "CLinux", "Cryptography", "Enrolment", "Essentials",
                "Identifiers", "Inspection", "Problems", "Releases", "Uploads",
            ],
        ),
        .target(
            name: "Publishing",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Inspection",
                "Problems", "Provenance", "Releases", "Store", "Symbols", "Versions", "Zip",
            ],
        ),
        .target(
            name: "HTTPCalling",
            dependencies: [
                "Bytes", "Cryptography", "Essentials",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
        ),
        .target(
            name: "S3",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "HTTPCalling", "Problems",
            ],
        ),
        .target(
            name: "ObjectStore",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "HTTPCalling", "Problems", "S3", "Store",
            ],
        ),
        .target(
            name: "OpenID",
            dependencies: [
                "Access", "Bytes", "Cryptography", "Essentials", "HTTPCalling", "Problems",
            ],
        ),
        .target(
            name: "AppleDeveloper",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "HTTPCalling", "Identifiers",
                "Problems", "Releases",
            ],
        ),
        .target(
            name: "Notices",
            dependencies: [
                "Access", "Addresses", "Bundles", "Bytes", "Cryptography", "Enrolment",
                "Identifiers", "Inspection", "Problems", "Releases", "Store", "Versions",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
        ),
        .target(
            name: "Packaging",
            dependencies: ["Bytes", "CLinux", "Essentials", "Problems", "PropertyLists", "Zip"],
        ),
        .target(
            name: "Sandboxing",
            dependencies: [
                "Bytes", "CLinux", "Essentials", "Problems",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
        ),
        .target(
            name: "Symbolication",
            dependencies: [
                "Bytes", "Essentials", "Identifiers", "Problems", "Sandboxing", "Symbols",
            ],
        ),
        .target(
            name: "SigningOrders",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "Problems", "Sandboxing",
            ],
        ),
        .target(
            name: "ReleaseSigning",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Inspection",
                "Problems", "Provenance", "Publishing", "Releases", "Sandboxing", "Signing",
                "SigningOrders", "Store",
            ],
        ),
        .target(
            name: "Jobs",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Inspection",
                "Problems", "ReleaseSigning", "Releases", "Sandboxing", "Signing", "Store",
            ],
        ),
        .target(
            name: "TeamUpkeep",
            dependencies: [
                "AppleDeveloper", "Bundles", "Bytes", "Cryptography", "Essentials", "HTTPCalling",
                "Identifiers",
                "Inspection", "Jobs", "Problems", "ReleaseSigning", "Releases", "Sandboxing",
                "Signing", "Store",
            ],
        ),
        .target(
            name: "GitRepositories",
            dependencies: [
                "Addresses", "Bytes", "Cryptography", "Essentials", "Problems", "Releases",
                "Sandboxing", "Versions",
            ],
        ),
        .target(
            name: "Mirrors",
            dependencies: [
                "Addresses", "Bundles", "Bytes", "Cryptography", "Essentials", "GitRepositories",
                "Identifiers", "Problems", "ReleaseSigning", "Releases", "Sandboxing", "Store",
                "Versions",
                .product(name: "Yams", package: "Yams"),
            ],
        ),
        .target(
            name: "Runners",
            dependencies: [
                "Access", "Bytes", "Cryptography", "Essentials", "Identifiers", "Mirrors",
                "Problems", "Releases", "Store", "Versions",
            ],
        ),
        .target(
            name: "MirrorBuilds",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "GitRepositories", "Identifiers",
                "Inspection", "Mirrors", "Packaging", "Problems", "Publishing", "ReleaseSigning",
                "Releases",
                "Runners", "Sandboxing", "Store", "Symbols", "Versions", "Zip",
            ],
        ),
        .target(
            name: "APIDocuments",
            dependencies: [
                "Access", "Bundles", "Bytes", "Cryptography", "Enrolment", "Essentials",
                "Identifiers", "Inspection", "Problems", "Provenance", "Releases", "Versions",
            ],
        ),
        .target(
            name: "Administration",
            dependencies: [
                "APIDocuments", "Access", "Addresses", "AppleDeveloper", "Bundles", "Bytes",
                "Cryptography", "Enrolment", "GitRepositories", "HTTPCalling", "Identifiers",
                "Inspection", "Jobs", "MirrorBuilds", "Mirrors", "Notices", "OpenID", "Problems",
                "Publishing", "ReleaseSigning",
                "Releases", "Runners", "Sandboxing", "Signing", "Store", "Symbols", "TeamUpkeep",
                "Versions",
            ],
        ),
        .executableTarget(name: "AssetEmbedder"),
        .plugin(name: "EmbedAssets", capability: .buildTool(), dependencies: ["AssetEmbedder"]),
        .target(
            name: "Pages",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Essentials", "Identifiers", "Inspection",
                "Problems", "Releases", "Versions",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            plugins: ["EmbedAssets"],
        ),
        .target(
            name: "HTTPServing",
            dependencies: [
                "Bytes", "CLinux", "Cryptography", "Problems",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
        ),
        .target(
            name: "ACME",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "HTTPCalling", "HTTPServing", "Problems",
                "Releases", "Store",
            ],
        ),
        .target(
            name: "OTAClient",
            dependencies: [
                "APIDocuments", "Access", "Addresses", "Bytes", "Cryptography", "Identifiers",
                "Problems",
                "Releases", "Uploads", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
        ),
        .target(
            name: "SiteServices",
            dependencies: [
                "Access", "Bundles", "Bytes", "Cryptography", "Enrolment", "HTTPCalling",
                "HTTPServing", "Identifiers", "OpenID", "Pages", "Problems", "Releases", "Store",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
        ),
        .target(
            name: "TesterSite",
            dependencies: [
                "APIDocuments", "Access", "Bundles", "Bytes", "Cryptography", "Enrolment",
                "Essentials", "HTTPServing",
                "Identifiers", "Images", "Inspection", "Jobs", "Pages", "Problems",
                "PropertyLists", "Releases", "SiteServices", "Store", "TeamUpkeep",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
        ),
        .target(
            name: "AdminSite",
            dependencies: [
                "APIDocuments", "Access", "Administration", "Bundles", "Bytes", "Cryptography",
                "Enrolment", "GitRepositories", "HTTPServing", "Identifiers", "Images",
                "Inspection", "Jobs", "MirrorBuilds", "Mirrors", "Notices", "OpenID", "Pages",
                "Problems", "Provenance", "Publishing", "ReleaseSigning", "Releases", "Signing",
                "SiteServices",
                "Store", "Symbolication", "Symbols", "TeamUpkeep", "Versions",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
        ),
        .target(
            name: "API",
            dependencies: [
                "APIDocuments", "Access", "Administration", "Bundles", "Bytes", "Cryptography",
                "GitRepositories", "HTTPServing", "Identifiers", "Inspection", "MirrorBuilds",
                "Mirrors", "Notices", "Problems", "Publishing", "Releases", "Runners", "Sandboxing",
                "SiteServices", "Store", "Symbols", "TeamUpkeep", "Uploads", "Versions",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
        ),
        .target(
            name: "OTAServer",
            dependencies: [
                "ACME", "API", "Access", "Addresses", "AdminSite", "AppleDeveloper", "Bundles",
                "Bytes",
                "Cryptography", "Enrolment", "HTTPCalling", "HTTPServing", "Identifiers", "Jobs",
                "MirrorBuilds",
                "Mirrors", "Notices", "Pages", "Problems", "ReleaseSigning", "Releases", "Runners",
                "Sandboxing", "SigningOrders", "SiteServices", "Store", "TeamUpkeep", "TesterSite",
                "Uploads",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
        ),
        .target(
            name: "Phone",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Identifiers", "PropertyLists", "Zip",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
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
            name: "OTACommands",
            dependencies: [
                "ACME", "APIDocuments", "Access", "Administration", "AppleDeveloper", "Bundles",
                "Bytes",
                "Cryptography", "Enrolment", "GitRepositories", "HTTPCalling", "HTTPServing",
                "Identifiers",
                "Images", "Inspection", "Jobs", "MirrorBuilds", "Mirrors", "Notices", "OTAClient",
                "OTAServer", "ObjectStore",
                "Packaging", "Pages", "Phone", "Problems", "PropertyLists", "Provenance",
                "Publishing", "ReleaseSigning", "Releases", "Runners", "S3", "Sample", "Sandboxing",
                "Signing", "SigningOrders", "Store", "Symbolication", "Symbols", "TeamUpkeep",
                "Uploads",
                "Versions", "Zip",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
        ),
        .executableTarget(
            name: "ota",
            dependencies: [
                "OTACommands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Half of a command's start time is the loader's work; packed relocations halve that.
            // Statically linked symbols are exported unless the linker is asked not to, and exported
            // symbols are kept even if nothing uses them.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                        "-Xlinker", "--no-export-dynamic",
                    ],
                    .when(platforms: [.linux]),
                )
            ],
        ),
        .target(
            name: "TestSupport",
            path: "Tests/TestSupport",
            exclude: [
                "CrashSymbols", "browser.py", "mailserver.py", "provider.py", "receiver.py",
                "xcodebuild.py",
            ],
        ),
        .target(
            name: "StoreFixtures",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Identifiers", "Inspection", "Releases",
                "Store",
            ],
            path: "Tests/StoreFixtures",
        ),
        .executableTarget(
            name: "CrashingPublisher",
            dependencies: ["Releases", "Store", "StoreFixtures"],
            path: "Tests/CrashingPublisher",
        ),
        .executableTarget(
            name: "CrashingSender",
            dependencies: ["Notices", "Store", .product(name: "Logging", package: "swift-log")],
            path: "Tests/CrashingSender",
        ),
        .executableTarget(
            name: "AppleServer",
            dependencies: [
                "ASN1Reading", "Bytes", "Cryptography", "Identifiers", "PropertyLists", "Sample",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Tests/AppleServer",
        ),
        .executableTarget(
            name: "ConfinedChild",
            dependencies: ["Bytes", "CLinux", "Essentials", "Sandboxing"],
            path: "Tests/ConfinedChild",
        ),
        .executableTarget(
            name: "OrphanedSigner",
            dependencies: ["Essentials", "Sample", "SigningOrders"],
            path: "Tests/OrphanedSigner",
        ),
        .testTarget(name: "BytesTests", dependencies: ["Bytes", "TestSupport"]),
        .testTarget(name: "IdentifiersTests", dependencies: ["Identifiers"]),
        .testTarget(
            name: "PropertyListsTests",
            dependencies: ["Bytes", "PropertyLists", "TestSupport"],
        ),
        .testTarget(name: "ZipTests", dependencies: ["Bytes", "TestSupport", "Zip"]),
        .testTarget(name: "ImagesTests", dependencies: ["Bytes", "Images", "TestSupport"]),
        .testTarget(
            name: "MachOFormatTests",
            dependencies: [
                "Bytes", "Cryptography", "MachOFormat", "PropertyLists", "Sample", "Signing",
                "TestSupport",
                "Zip",
            ],
        ),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Bytes", "Cryptography", "TestSupport"],
        ),
        .testTarget(
            name: "BundlesTests",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Identifiers", "Images", "PropertyLists",
                "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "CodeSignatureTests",
            dependencies: [
                "Bundles", "Bytes", "CodeSignature", "Cryptography", "MachOFormat",
                "PropertyLists", "Sample", "Signing", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "InspectionTests",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Identifiers", "Images", "Inspection",
                "MachOFormat", "PropertyLists", "Sample", "Signing", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "SigningTests",
            dependencies: [
                "Bundles", "Bytes", "CodeSignature", "Cryptography", "Essentials", "Identifiers",
                "Images", "Inspection", "MachOFormat", "Problems", "PropertyLists", "Sample",
                "Signing", "TestSupport", "Zip",
            ],
            exclude: ["Checking", "check_signature.py"],
        ),
        .testTarget(
            name: "SampleTests",
            dependencies: [
                "Bytes", "Cryptography", "PropertyLists", "Sample", "Signing", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "ReleasesTests",
            dependencies: [
                "Access", "Bundles", "Cryptography", "Identifiers", "Inspection", "PropertyLists",
                "Releases",
                "TestSupport",
            ],
            exclude: ["Golden"],
        ),
        .testTarget(
            name: "AccessTests",
            dependencies: ["Access", "Bundles", "Cryptography", "Identifiers", "TestSupport"],
        ),
        .testTarget(
            name: "S3Tests",
            dependencies: [
                "Bytes", "Cryptography", "Essentials", "HTTPCalling", "S3", "TestSupport",
            ],
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Access", "Bundles", "Bytes", "CrashingPublisher", "Cryptography", "HTTPCalling",
                "Identifiers",
                "ObjectStore", "Releases", "S3", "Store", "StoreFixtures", "TestSupport",
            ],
        ),
        .testTarget(
            name: "SymbolsTests",
            dependencies: [
                "Bytes", "Identifiers", "Releases", "Sample", "Symbols", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "SymbolicationTests",
            dependencies: [
                "Bytes", "Identifiers", "Releases", "Symbolication", "Symbols", "TestSupport",
            ],
        ),
        .testTarget(
            name: "PublishingTests",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Identifiers", "Images", "Inspection",
                "PropertyLists", "Provenance", "Publishing", "Releases", "Sample", "Store",
                "StoreFixtures", "Symbols", "TestSupport",
            ],
        ),
        .testTarget(
            name: "EnrolmentTests",
            dependencies: [
                "Bundles", "Bytes", "Cryptography", "Enrolment", "Identifiers", "PropertyLists",
                "Sample", "TestSupport",
            ],
        ),
        .testTarget(
            name: "PagesTests",
            dependencies: [
                "APIDocuments", "Administration", "Bundles", "Cryptography", "Identifiers",
                "Images", "Inspection", "Pages",
                "Releases", "TestSupport",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            exclude: ["Browser", "Golden"],
        ),
        .testTarget(
            name: "PhoneTests",
            dependencies: [
                "Bundles", "Cryptography", "Identifiers", "Phone", "PropertyLists", "TestSupport",
                "Zip", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "Cryptography", "HTTPServing", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
        ),
        .testTarget(
            name: "TesterSiteTests",
            dependencies: [
                "Bundles", "Enrolment", "HTTPServing", "Identifiers", "Pages", "Releases",
                "TeamUpkeep", "TesterSite",
            ],
        ),
        .testTarget(
            name: "AdminSiteTests",
            dependencies: [
                "Access", "AdminSite", "Notices", "Pages",
            ],
        ),
        .testTarget(
            name: "OTAServerTests",
            dependencies: [
                "ACME", "API", "APIDocuments", "Access", "AdminSite", "Administration",
                "AppleDeveloper",
                "Bundles", "Bytes", "Cryptography", "Enrolment", "Essentials", "GitRepositories",
                "HTTPCalling",
                "HTTPServing", "Identifiers", "Inspection", "Jobs", "MirrorBuilds", "Mirrors",
                "Notices", "OTAServer", "OpenID", "Pages", "PropertyLists", "Publishing",
                "Releases", "Runners",
                "Sample", "SiteServices", "Store", "StoreFixtures", "Symbols", "TeamUpkeep",
                "TestSupport", "TesterSite", "Uploads", "Versions",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
        ),
        .testTarget(
            name: "AdministrationTests",
            dependencies: [
                "APIDocuments", "Access", "Administration", "AppleDeveloper", "Bundles",
                "Cryptography", "Enrolment", "HTTPCalling", "Identifiers", "Jobs", "Notices",
                "Problems",
                "Publishing", "Releases", "Sample", "Store", "StoreFixtures", "TeamUpkeep",
                "TestSupport",
            ],
        ),
        .testTarget(
            name: "NoticesTests",
            dependencies: [
                "Addresses", "Bundles", "CrashingSender", "Cryptography", "Identifiers",
                "Inspection", "Notices",
                "Releases", "Store", "StoreFixtures", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
        ),
        .testTarget(
            name: "AppleDeveloperTests",
            dependencies: [
                "AppleDeveloper", "AppleServer", "Bundles", "Bytes", "Cryptography", "HTTPCalling",
                "Identifiers",
                "PropertyLists", "Releases", "TestSupport",
            ],
        ),
        .testTarget(
            name: "ACMETests",
            dependencies: [
                "ACME", "Bytes", "Cryptography", "Essentials", "HTTPCalling", "HTTPServing",
                "Store",
                "TestSupport",
            ],
        ),
        .testTarget(
            name: "UploadsTests",
            dependencies: [
                "Bundles", "Cryptography", "Identifiers", "Problems", "Releases", "Uploads",
            ],
        ),
        .testTarget(
            name: "ProvenanceTests",
            dependencies: ["Cryptography", "Provenance", "TestSupport"],
        ),
        .testTarget(
            name: "PackagingTests",
            dependencies: ["Bytes", "Packaging", "PropertyLists", "TestSupport", "Zip"],
        ),
        .testTarget(name: "VersionsTests", dependencies: ["TestSupport", "Versions"]),
        .testTarget(
            name: "SandboxingTests",
            dependencies: ["ConfinedChild", "Sandboxing", "TestSupport"],
        ),
        .testTarget(
            name: "SigningOrdersTests",
            dependencies: [
                "Cryptography", "OrphanedSigner", "Problems", "Sandboxing", "Sample",
                "SigningOrders", "TestSupport",
            ],
        ),
        .testTarget(
            name: "ReleaseSigningTests",
            dependencies: [
                "Bytes", "Cryptography", "Identifiers", "Inspection", "Jobs", "Provenance",
                "Publishing", "ReleaseSigning", "Releases", "Sample", "Signing", "Store",
                "StoreFixtures", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "TeamUpkeepTests",
            dependencies: [
                "AppleDeveloper", "AppleServer", "Bundles", "Bytes", "Cryptography", "Essentials",
                "HTTPCalling",
                "Identifiers", "Inspection", "Jobs", "Publishing", "ReleaseSigning", "Releases",
                "Sample", "Signing", "Store", "StoreFixtures", "TeamUpkeep", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "JobsTests",
            dependencies: [
                "Cryptography", "Identifiers", "Jobs", "Problems", "Releases", "Store",
                "StoreFixtures",
            ],
        ),
        .testTarget(
            name: "AccountLoopTests",
            dependencies: [
                "AppleDeveloper", "AppleServer", "Bytes", "Cryptography", "HTTPCalling",
                "Identifiers",
                "Inspection", "Jobs", "Publishing", "ReleaseSigning", "Releases", "Sample",
                "Signing", "Store", "StoreFixtures", "TeamUpkeep", "TestSupport", "Zip",
            ],
        ),
        .testTarget(
            name: "GitRepositoriesTests",
            dependencies: ["GitRepositories", "Sandboxing", "TestSupport", "Versions"],
        ),
        .testTarget(
            name: "MirrorsTests",
            dependencies: [
                "GitRepositories", "Identifiers", "Mirrors", "Releases", "Store", "TestSupport",
                "Versions",
            ],
        ),
        .testTarget(
            name: "RunnersTests",
            dependencies: [
                "Access", "Bytes", "Cryptography", "Essentials", "Identifiers", "Mirrors",
                "Releases",
                "Runners", "Sample", "Store", "TestSupport",
            ],
        ),
        .testTarget(
            name: "MirrorBuildsTests",
            dependencies: [
                "APIDocuments", "Access", "Addresses", "Administration", "Bundles", "Bytes",
                "Cryptography", "GitRepositories", "Identifiers", "MirrorBuilds", "Mirrors",
                "Publishing", "Releases", "Runners", "Sample", "Sandboxing", "Store", "Symbols",
                "TestSupport", "Versions", "Zip",
            ],
        ),
        .testTarget(
            name: "OTAClientTests",
            dependencies: [
                "APIDocuments", "Access", "Administration", "Cryptography", "OTAClient", "Problems",
                "Releases", "TestSupport", "Uploads",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
        ),
        .testTarget(
            name: "ProblemsTests",
            dependencies: [
                "ACME", "API", "APIDocuments", "Access", "Addresses", "Administration",
                "AppleDeveloper",
                "Bundles", "Bytes", "CodeSignature", "Cryptography", "Enrolment", "GitRepositories",
                "HTTPServing", "Identifiers", "Images", "Inspection", "Jobs", "MachOFormat",
                "Mirrors", "Notices", "OTAClient", "OTACommands", "OpenID", "Packaging", "Pages",
                "Problems", "PropertyLists", "Provenance", "Publishing", "ReleaseSigning",
                "Releases", "Runners",
                "S3", "Sample", "Sandboxing", "Signing", "SigningOrders", "SiteServices", "Store",
                "StoreFixtures", "Symbolication", "Symbols", "TeamUpkeep", "Uploads", "Versions",
                "Zip",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
        ),
        .testTarget(
            name: "OTACommandsTests",
            dependencies: [
                "APIDocuments", "AppleServer", "Bytes", "Cryptography", "Identifiers", "Mirrors",
                "OTACommands", "Packaging", "PropertyLists", "Releases", "Sample", "Sandboxing",
                "Symbols", "TestSupport",
                "Zip", "ota",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Support/careless.py", "Support/counting.py"],
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AppleServer", "Bundles", "Bytes", "Cryptography", "GitRepositories", "HTTPServing",
                "Identifiers", "Images", "Inspection", "MirrorBuilds", "Mirrors", "Notices",
                "OTAServer", "Packaging", "Pages", "Phone", "PropertyLists", "Publishing",
                "Releases", "Sample",
                "Store", "TestSupport", "Zip", "ota",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Recipes/comments.py", "Recipes/fastlane.rb", "Recipes/jenkins.groovy"],
        ),
    ],
    swiftLanguageModes: [.v6],
)

for target in package.targets where ![.system, .plugin].contains(target.type) {
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
}

// Tests spend most of their time in these targets, which read, hash, sign, store, render and search:
// optimised, they take a fraction of the time, still with all overflow and bounds checks.
let optimised: Set = [
    "Essentials", "Problems", "Bytes", "Identifiers", "ASN1Reading", "PropertyLists", "Zip",
    "Images", "Cryptography", "MachOFormat", "Bundles", "CodeSignature", "Inspection", "Signing",
    "Versions", "Access", "Releases", "Enrolment", "Store", "Publishing", "Mirrors", "Pages",
    "Sample", "StoreFixtures", "Symbols", "TestSupport",
]

for target in package.targets where optimised.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}
