// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "UpdateCheck",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .visionOS(.v1)],
    products: [.library(name: "UpdateCheck", targets: ["UpdateCheck"])],
    targets: [
        .target(name: "UpdateCheck"),
        .testTarget(name: "UpdateCheckTests", dependencies: ["UpdateCheck"]),
    ],
    swiftLanguageModes: [.v6]
)
