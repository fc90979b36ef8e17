"""The keys that vendors print in their own documents, by their SHA-256: letter by letter these, and
no others.
"""

SAMPLES: dict[str, str] = {
    "1a5d44a2dca19669d72edf4c4f1c27c4c1ca4b4408fbb17f6ce4ad452d78ddb3": "AWS, IAM User Guide",
    "78314b11be2e581549ac1c4f616563fad3fdf0c3b71678f6e2299182080e0598": "AWS, IAM User Guide",
    "cb20d34a7adda2f5d2043836051e242fd4c2b233e02c80c91fe9d5af9b100574": "AWS, IAM User Guide",
    "c6ea27c534f993d31f0aef882e3d200e7b87470c379ae79c8f9b19d3bd363dc9": "AWS, CLI User Guide",
    "e21b597ba6b9cafa59d9ebc4d65c0385f5eb3fa56abab2607fa76589ad849a33": "AWS, CLI User Guide",
    "e8a0614b6747a06ff9a2728dd2250bf13068310cd2550ebc3cecd4d287a4e259": "AWS, General Reference",
    "7f75367e7881255134e1375e723d1dea8ad5f6a4fdb79d938df1f1754a830606": "jwt.io",
    "c794fa6d20c64efb9adf980ae93af472a1679775862d421ffe55d4a57fad5b3e": "jwt.io",
    "da816f9f2c16e6c5390e7636cadc40c43551bf0bbcf8f36c65539e6633a9c5e8": "jwt.io",
    "2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326": "Stripe, API reference",
    "f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397": "Stripe, API reference",
    "7e8de44ea9ecf6d53415c90f5b249a8591f7abafbf7d65a2c0d855afeca3ec09": "Stripe, documentation",
    "3543c50b0cb9cea8e55eb1f529b79f043cb250d485fde7b66cabbb5183add7da": "GitHub, REST documentation",
    "bc3ae723f57c6b9e3fd80b699fcc420f6074b0b1718039669d22631d508ac0a7": "GitHub, REST documentation",
    "82e74299544e00738f9c0acb69b1eb348b3e20ffcfabcb34779bd37590fead6c": "GitHub, REST documentation",
    "797c0ce414586cc8eb6929afe947c720e3e4d351dd070a6fe39f630beaab3054": "GitHub, REST documentation",
    "6d7fa4e64d4b1f3ea31962e258b684de1f244434ebb11089b9d9817e44c43303": "GitHub, REST documentation",
    "2ddc147f3a3b5a1722b8ed6be3c45c49a7156b17fca5d11410137a6d04def6eb": "Slack, API documentation",
    "f4fa00c8f01f9b5e959bcfba521d0258e7a5a09311d25254ebc7d8d4a32ed671": "Telegram, bot documentation",
    "02f7ce3c263f85c019eeeeea4b08f1b7f6ade2b7a2199c14f3efdac0eef382e1": "Discord, API reference",
    "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059": "Azure storage emulator",
    "aa6547439583c3a275d4542a0df6c1ad6a863971be9f2a2220f027cc02aef615": "Azure Cosmos DB emulator",
    "3b27e79a6d4dcff8766f6ff4f49503bd05aaf6efc852bba25cfbd697f87c09a9": "Tailscale, key prefixes",
}
